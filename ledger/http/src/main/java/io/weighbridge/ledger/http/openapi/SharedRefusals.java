package io.weighbridge.ledger.http.openapi;

import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.tags.Tag;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.wire.ProblemBody;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;

/** The schema of problems and each refusal that operations refer to, once; and tags by their subject. */
final class SharedRefusals implements GlobalOpenApiCustomizer {

    @Override
    public void customise(OpenAPI document) {
        Components components = document.getComponents();
        ModelConverters.getInstance(true).readAll(ProblemBody.class).forEach(components::addSchemas);
        Set<String> referred = referred(document);
        for (ProblemCode code : ProblemCode.values()) {
            if (referred.contains(DocumentedAnswers.reference(code))) {
                components.addResponses(code.name(), DocumentedAnswers.refusal(EnumSet.of(code)));
            }
        }
        if (document.getTags() != null) {
            for (Tag tag : document.getTags()) {
                tag.setName(DocumentedAnswers.tag(tag.getName()));
            }
        }
    }

    private static Set<String> referred(OpenAPI document) {
        return document.getPaths().values().stream()
                .flatMap(path -> path.readOperations().stream())
                .map(Operation::getResponses)
                .flatMap(answers -> answers.values().stream())
                .map(answer -> answer.get$ref())
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }
}
