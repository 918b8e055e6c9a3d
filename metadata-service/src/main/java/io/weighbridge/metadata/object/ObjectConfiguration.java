package io.weighbridge.metadata.object;

import io.micrometer.core.instrument.MeterRegistry;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.metadata.object.application.Eviction;
import io.weighbridge.metadata.object.application.MemberPutsRevocation;
import io.weighbridge.metadata.object.application.ObjectQueries;
import io.weighbridge.metadata.object.application.ObjectSettings;
import io.weighbridge.metadata.object.application.ObjectSweeps;
import io.weighbridge.metadata.object.application.PutHandler;
import io.weighbridge.metadata.object.application.ReclaimSettings;
import io.weighbridge.metadata.object.application.Recurring;
import io.weighbridge.metadata.object.application.Removal;
import io.weighbridge.metadata.object.application.Replicas;
import io.weighbridge.metadata.object.http.ObjectController;
import io.weighbridge.metadata.object.http.PutController;
import io.weighbridge.metadata.object.http.ReplicaController;
import io.weighbridge.metadata.revision.application.Imports;
import io.weighbridge.metadata.revision.application.MemberPuts;
import io.weighbridge.metadata.revision.application.OperationClaims;
import java.time.Duration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.json.JsonMapper;

/** What the subject {@code object} is made of. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ObjectSettings.class, ReclaimSettings.class})
@Import({PutController.class, ObjectController.class, ReplicaController.class})
public class ObjectConfiguration {

    @Bean
    PutHandler putHandler(Ledger ledger, Imports imports, ObjectSettings settings, JsonMapper json, Eviction eviction) {
        return new PutHandler(ledger, imports, settings, json, eviction::want);
    }

    @Bean
    Removal removal(Ledger ledger) {
        return new Removal(ledger);
    }

    @Bean
    ObjectQueries objectQueries(Ledger ledger) {
        return new ObjectQueries(ledger);
    }

    @Bean
    Replicas replicas(Ledger ledger, OperationClaims claims, ObjectSettings settings, JsonMapper json) {
        return new Replicas(ledger, claims, settings, json);
    }

    @Bean
    Eviction eviction(Ledger ledger, Removal removal, ObjectSettings settings, MeterRegistry metrics) {
        return new Eviction(ledger, removal, settings, metrics);
    }

    @Bean
    Recurring evicting(Eviction eviction) {
        return new Recurring("eviction of unmanaged objects", Duration.ofSeconds(1), eviction::turn);
    }

    @Bean
    ObjectSweeps objectSweeps(Ledger ledger, PutHandler puts, ReclaimSettings reclaim) {
        return new ObjectSweeps(ledger, puts, reclaim);
    }

    @Bean
    Recurring sweepingObjects(ObjectSweeps sweeps, ObjectSettings settings) {
        return new Recurring("expiry of puts and reclaiming of copies", settings.sweepInterval(), sweeps::sweep);
    }

    @Bean
    Recurring forgettingCopies(ObjectSweeps sweeps) {
        return new Recurring("dropping the copies of moved epochs", Duration.ofMinutes(1), sweeps::forgetAll);
    }

    @Bean
    MemberPuts memberPuts(JsonMapper json) {
        return new MemberPutsRevocation(json);
    }
}
