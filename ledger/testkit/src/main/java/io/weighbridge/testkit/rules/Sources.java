package io.weighbridge.testkit.rules;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The source text of a module, as lines and as syntax trees of the compiler itself. */
final class Sources {

    /**
     * One file.
     *
     * @param shown its path as messages show it
     */
    record SourceFile(Path path, String shown, String text, CompilationUnitTree tree, Trees trees) {

        String packageName() {
            return tree.getPackageName() == null ? "" : tree.getPackageName().toString();
        }

        long line(long position) {
            return tree.getLineMap().getLineNumber(position);
        }

        String at(long line) {
            return shown + ":" + line;
        }
    }

    private Sources() {}

    /** All Java files below a folder, by name. */
    static List<SourceFile> below(Path root) {
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> walk = Files.walk(root)) {
            List<Path> files = walk.filter(path -> path.toString().endsWith(".java"))
                    .sorted()
                    .toList();
            return files.isEmpty() ? List.of() : parse(root, files);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<SourceFile> parse(Path root, List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null,
                    manager,
                    diagnostic -> {},
                    List.of("-proc:none"),
                    null,
                    manager.getJavaFileObjectsFromPaths(files));
            DocTrees trees = DocTrees.instance(task);
            List<SourceFile> parsed = new ArrayList<>();
            for (CompilationUnitTree tree : task.parse()) {
                Path path = Path.of(tree.getSourceFile().toUri());
                String shown =
                        root.toAbsolutePath().relativize(path.toAbsolutePath()).toString();
                parsed.add(new SourceFile(path, shown, Files.readString(path), tree, trees));
            }
            return parsed;
        }
    }
}
