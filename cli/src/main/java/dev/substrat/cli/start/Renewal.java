package dev.substrat.cli.start;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/// Rewrites the classes of a jar for the running JVM: `java dev.substrat.cli.start.Renewal JAR`.
///
/// The command line library is compiled for Java 5. The JVM's start-up cache takes in no class that
/// old, and checks each with its slow verifier on every start. The code stays the same; the classes
/// get the tables that newer ones have. Doing it twice changes nothing, not doing it costs time
/// only.
public final class Renewal {
  private static final ClassTransform NEWER =
      (builder, element) -> {
        if (element instanceof ClassFileVersion) {
          builder.withVersion(ClassFile.latestMajorVersion(), 0);
        } else {
          builder.with(element);
        }
      };

  private Renewal() {}

  public static void main(String[] args) throws IOException {
    for (String jar : args) {
      renew(Path.of(jar));
    }
  }

  static void renew(Path jar) throws IOException {
    var renewed = new ByteArrayOutputStream();
    try (var from = new ZipFile(jar.toFile());
        var to = new ZipOutputStream(renewed)) {
      ClassFile format = format(from);
      for (ZipEntry entry : Collections.list(from.entries())) {
        byte[] bytes = from.getInputStream(entry).readAllBytes();
        to.putNextEntry(new ZipEntry(entry.getName()));
        to.write(isClass(entry) ? renewed(format, bytes) : bytes);
        to.closeEntry();
      }
    }
    Files.write(jar, renewed.toByteArray());
  }

  private static boolean isClass(ZipEntry entry) {
    return entry.getName().endsWith(".class") && !entry.getName().endsWith("module-info.class");
  }

  private static byte[] renewed(ClassFile format, byte[] bytes) {
    // Every method body is written anew; one that is merely copied keeps its missing tables.
    var bodies = ClassTransform.transformingMethodBodies((code, part) -> code.with(part));
    return format.transformClass(format.parse(bytes), NEWER.andThen(bodies));
  }

  /// The new tables name common superclasses, so the library's own classes must be found.
  private static ClassFile format(ZipFile jar) {
    var library =
        ClassHierarchyResolver.ofResourceParsing(
            type -> open(jar, type.descriptorString().replaceAll("^L|;$", "") + ".class"));
    return ClassFile.of(
        StackMapsOption.GENERATE_STACK_MAPS,
        ConstantPoolSharingOption.NEW_POOL,
        ClassHierarchyResolverOption.of(
            library.orElse(ClassHierarchyResolver.defaultResolver()).cached()));
  }

  private static @Nullable InputStream open(ZipFile jar, String name) {
    try {
      ZipEntry entry = jar.getEntry(name);
      return entry == null ? null : jar.getInputStream(entry);
    } catch (IOException _) {
      return null;
    }
  }
}
