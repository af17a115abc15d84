package dev.substrat.team.toolconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import dev.substrat.testkit.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Validation of custom tools and servers, and its error messages.
final class CustomToolRulesTest {
  private static final AllowedEnvironment ENVIRONMENT =
      new AllowedEnvironment(Set.of("KEY"), Map.of());

  private static void tool(String yaml) {
    CustomToolRules.requireTools(read(yaml), Set.of("send_message"), ENVIRONMENT);
  }

  private static List<CustomToolConfig> read(String yaml) {
    return List.of(Json.as(Yaml.own(yaml), CustomToolConfig.class));
  }

  private static void server(String yaml) {
    McpServerConfig server = Json.as(Yaml.own(yaml), McpServerConfig.class);
    McpServerRules.requireAll(List.of(server), ENVIRONMENT);
  }

  @Test
  @Requirement({"S3-15", "S3-17", "S3-18", "S3-20", "S3-49"})
  void examples_of_the_contract_are_accepted() {
    assertThatCode(
            () -> {
              tool(
                  """
                  { name: fetchWeather, description: d, inputSchema: { type: object }, executionType: gateway,
                    visible: true, execution: { url: 'https://a.test', method: GET, timeout: 30000,
                    headers: { Authorization: 'Bearer ${env.KEY}' }, body: { q: '{{input.q}}' } },
                    display: { customUI: card }, middleware: [repair, { cache: { ttlSeconds: 5 } }] }
                  """);
              tool(
                  """
                  { name: think, description: d, executionType: gateway,
                    execution: { agentConfig: { name: x }, includeContext: true, timeout: 60000 } }
                  """);
              tool(
                  """
                  { name: draw, description: d, executionType: gateway,
                    execution: { provider: dall-e, model: dall-e-3, size: 1024x1024, quality: hd } }
                  """);
              tool(
                  "{ name: ask, description: d, executionType: space, display: { customUI: confirmAction } }");
              server(
                  """
                  { name: github-tools, url: 'https://mcp.test', transport: http,
                    headers: { Authorization: 'Bearer ${env.KEY}' }, allowedTools: [list_prs] }
                  """);
              server("{ name: own, url: 'HTTP://127.0.0.1:8080' }");
              server("{ name: there, url: 'https://${env.KEY}:80/mcp?x={{input.y}}' }");
              server("{ name: anywhere, url: '${env.KEY}' }");
              server("{ name: files, command: npx, args: ['${HOME}'], env: { A: '${env.KEY}' } }");
              tool(
                  "{ name: ask, description: d, executionType: space, display: { customUI: confirm } }");
            })
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @Requirement("S3-15")
  @CsvSource(
      delimiter = '|',
      value = {
        "{ name: 'a b', description: d, executionType: space } | /name must have",
        "{ name: send_message, description: d, executionType: space } | built-in tool",
        "{ name: a, description: d, executionType: gateway } | needs one of",
        "{ name: a, description: d, executionType: gateway, execution: { value: 1 } } | value needs `executionType: internal`",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'https://a.test/{{inpt.b}}' } } | /execution/url has an unknown placeholder: {{inpt.b}}",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'https://a.test', body: { q: ['{{ args.b }}'] } } } | /execution/body/q has an unknown placeholder",
        "{ name: a, description: d, executionType: internal, execution: { value: 1, url: 'http://a' } } | value needs `executionType: internal`",
        "{ name: a, description: d, executionType: internal, visible: true, execution: { url: 'http://a' } } | visible has no effect",
        "{ name: a, description: d, executionType: space, execution: { url: 'http://a' } } | a person answers",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'http://a', method: LOOK } } | method must be",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'http://a', timeout: 0 } } | timeout must be",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'http://a', timeout: 999999 } } | timeout must be",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'http://${env.HOME}' } } | HOME, which is not allowed",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'http://a', body: { x: ['${env.NO}'] } } | /execution/body/x",
        "{ name: a, description: d, executionType: space, inputSchema: { type: array } } | /tools/0/inputSchema/type must be",
        "{ name: a, description: d, executionType: space, inputSchema: { properties: { b: { pattern: '[' } } } } | /tools/0/inputSchema/properties/b of a is not a valid schema: Unclosed character class",
        "{ name: a, description: d, executionType: space, inputSchema: { properties: { b: { items: [ { minimum: x } ] } } } } | /tools/0/inputSchema/properties/b/items/0 of a is not a valid schema",
        "{ name: a, description: d, executionType: space, inputSchema: { properties: { b: { $ref: '#/nope' } } } } | /tools/0/inputSchema of a is not a valid schema: Reference /nope cannot be resolved",
        "{ name: a, description: d, executionType: space, inputSchema: { properties: { b: { $ref: 'https://a.test/b.json' } } } } | it has no target for $ref https://a.test/b.json",
        "{ name: a, description: d, executionType: space, inputSchema: { $schema: 'https://a.test/own' } } | of a is not a valid schema",
        "{ name: a, description: d, executionType: space, inputSchema: { allOf: [ { $ref: '#' } ] } } | it has an infinite $ref cycle",
        "{ name: a, description: d, executionType: space, inputSchema: { type: object, properties: { b: { type: strin } } } } | /tools/0/inputSchema/properties/b/type of a is not a valid schema: \"strin\" is not a type",
        "{ name: a, description: d, executionType: space, inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#', properties: { b: { type: strin } } } } | /tools/0/inputSchema/properties/b/type of a is not a valid schema: \"strin\" is not a type",
        "{ name: a, description: d, executionType: space, inputSchema: { type: object, required: b } } | /tools/0/inputSchema/required of a is not a valid schema: \"b\" is invalid: string found, array expected",
        "{ name: a, description: d, executionType: space, inputSchema: { properties: [b] } } | /tools/0/inputSchema/properties of a is not a valid schema",
        "{ name: a, description: d, executionType: space, inputSchema: { properties: { b: string } } } | /tools/0/inputSchema/properties/b of a is not a valid schema: \"string\" is invalid",
        "{ name: a, description: d, executionType: space, inputSchema: { properties: { b: { minLength: -1 } } } } | /tools/0/inputSchema/properties/b/minLength of a is not a valid schema",
        "{ name: a, description: d, executionType: gateway, execution: { provider: midjourney } } | /tools/0/execution/provider \"midjourney\" is not a known image service",
        "{ name: a, description: d, executionType: internal, execution: { expression: 'input.n +' } } | /tools/0/execution/expression: line 1, column 10: mismatched input",
        "{ name: a, description: d, executionType: gateway, execution: { expression: 'args.n' } } | /tools/0/execution/expression: line 1, column 1: undeclared reference to 'args'",
        "{ name: a, description: d, executionType: external, execution: { expression: 'input.n' } } | /tools/0/execution/expression needs executionType internal or gateway, not external",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'http://a', expression: 'input.n' } } | expression cannot be combined",
        "{ name: a, description: d, executionType: space, middleware: [fly] } | unknown middleware \"fly\"",
        "{ name: a, description: d, executionType: space, middleware: [{ cache: { ttl: 1 } }] } | unknown option of middleware cache: \"ttl\"",
        "{ name: a, description: d, executionType: space, middleware: [redact] } | redact needs keys",
        "{ name: a, description: d, executionType: space, inputSchema: { type: objekt } } | /tools/0/inputSchema/type must be \"object\", not \"objekt\""
      })
  void an_invalid_tool_is_rejected_with_its_pointer(String yaml, String words) {
    String closed =
        yaml.chars().filter(c -> c == '{').count() > yaml.chars().filter(c -> c == '}').count()
            ? yaml + " }"
            : yaml;
    assertRefused(() -> tool(closed), words);
  }

  @ParameterizedTest
  @Requirement("S3-49")
  @CsvSource(
      delimiter = '|',
      value = {
        "{ name: a } | needs a url",
        "{ name: a, url: nonsense } | /mcp/servers/0/url is not a URL",
        "{ name: a, command: x, paths: [{ path: notes }] } | /mcp/servers/0/paths/0/path must be an absolute path without ..: \"notes\"",
        "{ name: a, command: x, paths: [{ path: /a }, { path: /a/../b }] } | /mcp/servers/0/paths/1/path must be an absolute path",
        "{ name: a, command: x, paths: [{ path: /a, mode: w }] } | /mcp/servers/0/paths/0/mode must be ro or rw, not \"w\"",
        "{ name: a, command: x, paths: [{ path: /a }, { path: /a, mode: rw }] } | /mcp/servers/0/paths/1/path is a duplicate: /a",
        "{ name: a, url: 'http://a', paths: [{ path: /a }] } | /mcp/servers/0/paths needs transport stdio",
        "{ name: a, url: 'http:///mcp' } | /url is not a URL",
        "{ name: a, url: 'ftp://a.test', transport: sse } | /url is not a URL",
        "{ name: a, url: 'https://a.test/a b' } | /url is not a URL",
        "{ name: a, transport: stdio } | needs a command",
        "{ name: a, url: 'http://a', transport: carrier } | transport must be",
        "{ name: a, url: 'http://a', headers: { X: '${env.HOME}' } } | HOME, which is not allowed"
      })
  void an_invalid_server_is_rejected_with_its_pointer(String yaml, String words) {
    assertRefused(() -> server(yaml), words);
  }

  @ParameterizedTest
  @Requirement("S3-16")
  @CsvSource(
      delimiter = '|',
      value = {
        "{ name: a, description: d, executionType: gateway, execution: { url: 'htp://a.test' } } | /tools/0/execution/url is not a URL: \"htp://a.test\"",
        "{ name: a, description: d, executionType: external, execution: { webhookUrl: 'a.test' } } | /tools/0/execution/webhookUrl is not a URL",
        "{ name: a, description: d, executionType: gateway, execution: { provider: openai, baseUrl: 'ftp://a.test' } } | /tools/0/execution/baseUrl is not a URL",
        "{ name: a, description: d, executionType: gateway, execution: { provider: openai, baseUrl: 'http://a', apiKey: '${evn.KEY}' } } | /tools/0/execution/apiKey contains ${evn.KEY}, which is sent literally",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'https://a.test', headers: { A: 'Bearer ${evn.KEY}' } } } | /execution/headers/A contains ${evn.KEY}, which is sent literally",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'https://a.test', queryParams: { q: '${KEY}' } } } | /execution/queryParams/q contains",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'https://${env:KEY}/a' } } | /execution/url contains ${env:KEY}, which is sent literally",
        "{ name: a, description: d, executionType: gateway, execution: { url: 'https://a.test', body: { q: ['${ENV.KEY}'] } } } | /execution/body/q contains",
        "{ name: fetchWeather_now, executionType: space } | /tools/0/description of fetchWeather_now is missing: the agent sees \"Fetch weather now.\"",
        "{ name: a, description: d, executionType: gateway, execution: { provider: dall-e, model: dall-e-3 } } | /tools/0/execution has no API key for dall-e: set OPENAI_API_KEY",
        "{ name: a, description: d, executionType: space, display: { title: A }, execution: { display: { title: B } } } | /tools/0/execution/display has no effect",
        "{ name: a, description: d, executionType: space, execution: { display: { customUI: confirmActoin } } } | /tools/0/display/customUI is",
        "{ name: a, description: d, executionType: space, display: { customUI: confirmActoin } } | /tools/0/display/customUI is",
        "{ name: a, description: d, executionType: space, display: { customUI: choise } } | /tools/0/display/customUI is"
      })
  void a_probable_mistake_is_a_warning_with_its_pointer(String yaml, String words) {
    assertThatCode(() -> tool(yaml)).doesNotThrowAnyException();
    assertThat(CustomToolRules.warnings(read(yaml), ENVIRONMENT))
        .singleElement()
        .asString()
        .contains(words);
  }

  @ParameterizedTest
  @Requirement("S3-49")
  @CsvSource(
      delimiter = '|',
      value = {
        "{ name: a, url: 'http://a', headers: { X: '${evn.KEY}' } } | /mcp/servers/0/headers/X contains ${evn.KEY}, which is sent literally",
        "{ name: a, url: 'http://a/${KEY}' } | /mcp/servers/0/url contains",
        "{ name: a, command: npx, env: { A: '${HOME}' } } | /mcp/servers/0/env/A contains",
        "{ name: a, command: npx, args: ['--key=${env.KEY}'] } | /mcp/servers/0/args contains ${env.KEY}, which is not replaced",
        "{ name: a, command: npx, url: 'http://a' } | /mcp/servers/0 has both a `command` and a `url`"
      })
  void servers_have_warnings_too(String yaml, String words) {
    assertThatCode(() -> server(yaml)).doesNotThrowAnyException();
    List<McpServerConfig> servers = List.of(Json.as(Yaml.own(yaml), McpServerConfig.class));
    assertThat(McpServerRules.warnings(servers)).singleElement().asString().contains(words);
  }

  private static String called(String execution) {
    return "{ name: a, description: d, executionType: gateway, execution: { %s } }"
        .formatted(execution);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "url: 'https://{{input.host}}/x', headers: { Authorization: 'Bearer ${env.KEY}' }",
        "url: '{{input.url}}', headers: { X: '${env.KEY}' }",
        "url: 'https://a.test:{{input.port}}', queryParams: { key: '${env.KEY}' }",
        "url: 'https://{{input.a}}.test?k=${env.KEY}'",
        "webhookUrl: 'https://{{input.host}}', body: { k: ['${env.KEY}'] }"
      })
  void arguments_that_choose_the_host_of_a_secret_are_warned_about(String execution) {
    assertThat(CustomToolRules.warnings(read(called(execution)), ENVIRONMENT))
        .singleElement()
        .asString()
        .contains("choose the host that receives ${env.KEY}", "rl lets");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "url: 'https://a.test/{{input.path}}', headers: { X: '${env.KEY}' }",
        "url: 'https://a.test?q={{input.q}}', headers: { X: '${env.KEY}' }",
        "url: 'https://{{input.host}}/x'"
      })
  void arguments_in_other_parts_or_without_secrets_are_not_warned_about(String execution) {
    assertThat(CustomToolRules.warnings(read(called(execution)), ENVIRONMENT)).isEmpty();
  }

  private static String asking(String schema, String place) {
    return """
    { name: a, description: d, executionType: gateway, inputSchema: { type: object, %s },
      execution: { url: 'https://a.test', body: { q: '{{input.%s}}' } } }
    """
        .formatted(schema, place);
  }

  @ParameterizedTest
  @Requirement("S3-16")
  @ValueSource(
      strings = {
        "properties: { city: { type: string } }",
        "properties: { city: { type: string } }, additionalProperties: false",
        "properties: { city: { type: string } }, required: [city]"
      })
  void an_undeclared_argument_is_a_warning(String schema) {
    assertThat(CustomToolRules.warnings(read(asking(schema, "cty.name")), ENVIRONMENT))
        .singleElement()
        .asString()
        .contains(
            "/tools/0/execution/body/q reads {{input.cty", "declare cty (did you mean city?)");
    assertThat(CustomToolRules.warnings(read(asking(schema, "city.name")), ENVIRONMENT)).isEmpty();
  }

  @ParameterizedTest
  @Requirement("S3-16")
  @ValueSource(
      strings = {
        "title: any",
        "properties: { city: {} }, additionalProperties: true",
        "properties: { city: {} }, additionalProperties: { type: string }",
        "properties: { city: {} }, patternProperties: { '^c': {} }",
        "properties: { city: {} }, anyOf: [ { properties: { cty: {} } }, {} ]"
      })
  void undeclared_placeholders_are_allowed_if_the_schema_allows_more_properties(String schema) {
    assertThat(CustomToolRules.warnings(read(asking(schema, "cty")), ENVIRONMENT)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ name: a, command: npx, transport: stdoi } | did you mean stdio?",
        "{ name: a, command: npx, transport: x } | stdio with a command"
      })
  void server_errors_have_hints(String yaml, String hint) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> server(yaml))
        .satisfies(fault -> assertThat(fault.hint()).contains(hint));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "middleware: [cahe], execution: { url: 'http://a' } | did you mean cache?",
        "middleware: [{ cache: { ttlSecond: 1 } }], execution: { url: 'http://a' } | did you mean ttlSeconds?",
        "execution: { url: 'http://a', method: PSOT } | did you mean POST",
        "inputSchema: { type: objekt }, execution: { url: 'http://a' } | did you mean object?",
        "execution: { url: 'http://a', timeout: 999999 } | for example 30000"
      })
  void tool_errors_have_hints(String key, String hint) {
    String yaml = "{ name: a, description: d, executionType: gateway, %s }".formatted(key);
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> tool(yaml))
        .satisfies(fault -> assertThat(fault.hint()).contains(hint));
  }

  private static void assertRefused(ThrowingCallable work, String words) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(work)
        .withMessageContaining(words)
        .satisfies(fault -> assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_CONFIG));
  }

  @Test
  @Requirement("S3-15")
  void the_mistakes_of_several_tools_are_reported_together() {
    List<CustomToolConfig> tools =
        Stream.of(
                "{ name: t1, executionType: space, inputSchema: { type: strin } }",
                "{ name: t2, executionType: internal, execution: { expression: 'input.n +' } }",
                "{ name: t3, executionType: gateway, execution: { provider: midjourney } }",
                "{ name: 't 4', executionType: gateway }")
            .flatMap(yaml -> read(yaml).stream())
            .toList();

    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> CustomToolRules.requireTools(tools, Set.of(), ENVIRONMENT))
        .withMessageContaining("/tools/0/inputSchema/type must be")
        .withMessageContaining("(and 4 more problems)")
        .satisfies(fault ->
            assertThat(fault.problem().details())
                .extracting(Problem.ProblemDetail::pointer)
                .containsExactly(
                    "/tools/0/inputSchema/type",
                    "/tools/1/execution/expression",
                    "/tools/2/execution/provider",
                    "/tools/3/name",
                    "/tools/3/execution"));
  }

  @Test
  void an_expression_error_is_one_short_sentence() {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() ->
            tool("{ name: a, executionType: internal, execution: { expression: 'input.n +' } }"))
        .satisfies(fault ->
            assertThat(fault.message())
                .isEqualTo(
                    "/tools/0/execution/expression: line 1, column 10: mismatched input '<EOF>'"));
  }
}
