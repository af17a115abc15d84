package dev.substrat.cli.connect;

import dev.substrat.protocol.SpellingSuggestion;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Converts enum constants from and to lower-case names, also for completion.
abstract class EnumNameConverter<T extends Enum<T>> implements ITypeConverter<T>, Iterable<String> {
  private final Class<T> type;
  private final String kind;

  private EnumNameConverter(Class<T> type, String kind) {
    this.type = type;
    this.kind = kind;
  }

  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public T convert(String typed) {
    return Stream.of(type.getEnumConstants())
        .filter(constant -> of(constant).equals(typed))
        .findFirst()
        .orElseThrow(() -> new TypeConversionException(message(typed)));
  }

  private String message(String typed) {
    List<String> near = SpellingSuggestion.near(typed, all());
    return "unknown %s '%s'; %s"
        .formatted(
            kind,
            typed,
            near.isEmpty()
                ? "use one of " + String.join(", ", all())
                : "did you mean " + String.join(" or ", near) + "?");
  }

  private List<String> all() {
    return Stream.of(type.getEnumConstants()).map(EnumNameConverter::of).toList();
  }

  @Override
  public Iterator<String> iterator() {
    return all().iterator();
  }

  static final class ClientKindConverter extends EnumNameConverter<ClientKind> {
    ClientKindConverter() {
      super(ClientKind.class, "client");
    }
  }

  static final class ConfigScopeConverter extends EnumNameConverter<ConfigScope> {
    ConfigScopeConverter() {
      super(ConfigScope.class, "scope");
    }
  }
}
