package dev.substrat.platform.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A compiled expression in CEL (Common Expression Language), over JSON values.
///
/// An expression cannot call out, loop for ever or change anything. What it can do is grow: each
/// intermediate value is weighed, and an evaluation ends at the first one that is too large, after
/// too many iterations, or when its time is over. Functions that can take long for small values are
/// replaced by bounded ones ([CelTextFunctions]). Numbers without a fraction are `int`, others
/// `double`; CEL converts neither by itself (`double(input.n) * 1.5`).
///
/// Immutable, and safe for many threads.
public final class CelExpression {
  private static final int MAX_CHARACTERS = 4_000;
  private static final int MAX_WORDS = 120;
  private static final int MAX_ITERATIONS = 10_000;
  private static final Duration MAX_TIME = Duration.ofSeconds(1);

  /// Limit of one value: each element counts one, and each ten characters of a text.
  private static final int MAX_WEIGHT = 100_000;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .maxExpressionCodePointSize(MAX_CHARACTERS)
          .maxParseRecursionDepth(100)
          .comprehensionMaxIterations(MAX_ITERATIONS)
          .build();

  /// Built on first use: most daemons have no expressions, and it takes a while.
  private static final class SharedRuntime {
    static final CelRuntime RUNTIME =
        CelRuntimeFactory.plannerRuntimeBuilder()
            .setOptions(OPTIONS)
            .setStandardFunctions(
                CelStandardFunctions.newBuilder()
                    .excludeFunctions(StandardFunction.MATCHES, StandardFunction.CONTAINS)
                    .build())
            .addFunctionBindings(CelTextFunctions.BINDINGS)
            .build();
  }

  private final CelRuntime.Program program;
  private final LongSupplier nanoTime;

  private CelExpression(CelRuntime.Program program, LongSupplier nanoTime) {
    this.program = program;
    this.nanoTime = nanoTime;
  }

  /// Parses and checks it; `variables` are the names it may use. The fault (`INVALID_CONFIG`) has
  /// the line and column of the first mistake.
  public static CelExpression compile(String expression, Set<String> variables) {
    return compile(expression, variables, System::nanoTime);
  }

  static CelExpression compile(String expression, Set<String> variables, LongSupplier nanoTime) {
    var builder =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS);
    variables.forEach(name -> builder.addVar(name, SimpleType.DYN));
    CelValidationResult checked = builder.build().compile(expression);
    try {
      return new CelExpression(SharedRuntime.RUNTIME.createProgram(checked.getAst()), nanoTime);
    } catch (CelValidationException e) {
      throw invalid(
          checked.getErrors().stream()
              .findFirst()
              .map(CelExpression::words)
              .orElseGet(() -> String.valueOf(e.getMessage())),
          variables);
    } catch (CelEvaluationException e) {
      throw invalid(String.valueOf(e.getMessage()), variables);
    }
  }

  private static Fault invalid(String message, Set<String> variables) {
    return ErrorCode.INVALID_CONFIG.fault(
        message,
        "correct the CEL expression; available variables: " + String.join(", ", variables));
  }

  private static String words(CelIssue issue) {
    var at = issue.getSourceLocation();
    String message = firstSentence(issue.getMessage().replace(" (in container '')", ""));
    return at.getLine() < 1
        ? message
        : "line %d, column %d: %s".formatted(at.getLine(), at.getColumn() + 1, message);
  }

  /// Without the list of everything that the parser would have accepted.
  private static String firstSentence(String message) {
    String first = message.lines().findFirst().orElse("").replaceFirst(" expecting \\{.*", "");
    return first.length() <= MAX_WORDS ? first : first.substring(0, MAX_WORDS) + "…";
  }

  /// The value for these variables; otherwise a fault (`EXPRESSION_FAILED`) with the reason.
  public JsonNode evaluate(Map<String, ? extends JsonNode> variables) {
    var values = new LinkedHashMap<String, Object>();
    variables.forEach((name, value) -> values.put(name, toCel(value)));
    var meter = new CostMeter(nanoTime.getAsLong() + MAX_TIME.toNanos());
    try {
      Object result = program.trace(values, (_, value) -> meter.check(value));
      // An error beside || or && may have been ignored.
      meter.require();
      return toJson(result);
    } catch (CelEvaluationException | ArithmeticException e) {
      meter.require();
      throw failed(shortened(String.valueOf(e.getMessage())));
    }
  }

  /// Without the library's description of the position.
  private static String shortened(String message) {
    return message.replaceFirst("^evaluation error at <input>:(\\d+): ", "character $1: ");
  }

  private static Fault failed(String message) {
    return ErrorCode.EXPRESSION_FAILED.fault(
        "the expression failed: " + message,
        "change the arguments, or the expression: test for a key with has(input.key), convert"
            + " numbers with double(input.key)");
  }

  /// Limits of one evaluation, which is one thread's.
  private final class CostMeter {
    private final long deadline;
    private @Nullable String exceeded;

    CostMeter(long deadline) {
      this.deadline = deadline;
    }

    void check(@Nullable Object value) {
      if (nanoTime.getAsLong() - deadline > 0) {
        exceeded = "the evaluation takes longer than %d ms".formatted(MAX_TIME.toMillis());
      } else if (weight(value, MAX_WEIGHT) > MAX_WEIGHT) {
        exceeded = "a value is too large";
      }
      require();
    }

    void require() {
      if (exceeded != null) {
        throw failed(exceeded);
      }
    }
  }

  /// Stops counting above `most`: a value may contain another many times over.
  private static int weight(@Nullable Object value, int most) {
    int weight = 1;
    switch (value) {
      case String text -> weight += text.length() / 10;
      case CelByteString bytes -> weight += bytes.size() / 10;
      case Map<?, ?> map -> {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          weight += weight(entry.getKey(), most - weight);
          weight += weight(entry.getValue(), most - weight);
          if (weight > most) {
            return weight;
          }
        }
      }
      case Collection<?> list -> {
        for (Object item : list) {
          weight += weight(item, most - weight);
          if (weight > most) {
            return weight;
          }
        }
      }
      case null, default -> {}
    }
    return weight;
  }

  private static Object toCel(JsonNode value) {
    if (value.isObject()) {
      var map = new LinkedHashMap<String, Object>();
      value.properties().forEach(entry -> map.put(entry.getKey(), toCel(entry.getValue())));
      return map;
    }
    if (value.isArray()) {
      var list = new ArrayList<Object>(value.size());
      value.forEach(item -> list.add(toCel(item)));
      return list;
    }
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    if (value.isNumber()) {
      return value.isIntegralNumber() && value.canConvertToLong()
          ? (Object) value.longValue()
          : (Object) value.doubleValue();
    }
    return value.isNull() || value.isMissingNode() ? NullValue.NULL_VALUE : value.asText();
  }

  private static JsonNode toJson(@Nullable Object value) {
    JsonNodeFactory node = JsonNodeFactory.instance;
    return switch (value) {
      case null -> node.nullNode();
      case NullValue _ -> node.nullNode();
      case Boolean truth -> node.booleanNode(truth);
      case Long number -> node.numberNode(number.longValue());
      case UnsignedLong number -> node.numberNode(number.bigIntegerValue());
      case Double number -> node.numberNode(requireFinite(number));
      case CelByteString bytes ->
          node.textNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
      case Duration span -> node.textNode(seconds(span));
      case TypeType type -> node.textNode(type.containingTypeName());
      case Map<?, ?> map -> {
        var object = node.objectNode();
        map.forEach((key, item) -> object.set(String.valueOf(key), toJson(item)));
        yield object;
      }
      case Collection<?> list -> {
        var array = node.arrayNode();
        list.forEach(item -> array.add(toJson(item)));
        yield array;
      }
      // A text or a time.
      default -> node.textNode(value.toString());
    };
  }

  private static double requireFinite(double number) {
    if (!Double.isFinite(number)) {
      throw failed("the result is not a finite number: " + number);
    }
    return number;
  }

  /// In the JSON form of protocol buffers.
  private static String seconds(Duration span) {
    return new BigDecimal(span.toNanos()).movePointLeft(9).stripTrailingZeros().toPlainString()
        + "s";
  }
}
