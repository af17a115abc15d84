package dev.substrat.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DelegatingToolTest {

  /// A method that is not overridden would return the default of [Tool] instead of the value of the
  /// wrapped tool.
  @Test
  void every_method_of_a_tool_is_delegated() {
    List<Method> methods =
        Arrays.stream(Tool.class.getMethods()).filter(method -> !method.isSynthetic()).toList();

    assertThat(methods).isNotEmpty();
    assertThat(methods)
        .allSatisfy(method ->
            assertThat(DelegatingTool.class.getMethod(method.getName(), method.getParameterTypes()))
                .extracting(Method::getDeclaringClass)
                .isEqualTo(DelegatingTool.class));
  }
}
