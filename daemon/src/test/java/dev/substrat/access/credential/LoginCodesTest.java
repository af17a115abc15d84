package dev.substrat.access.credential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.CredentialId;
import dev.substrat.testkit.Requirement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

@Requirement("N7")
final class LoginCodesTest {
  private static final Duration VALID = Duration.ofMinutes(15);

  private final CredentialId by = CredentialId.random();
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private final LoginCodes codes = new LoginCodes(() -> now);

  @Test
  void a_code_signs_in_once() {
    String code = codes.create(by);

    assertThat(codes.use("guess")).isEmpty();
    assertThat(codes.use(code)).contains(by);
    assertThat(codes.use(code)).isEmpty();
  }

  @Test
  void a_code_expires_after_fifteen_minutes() {
    String used = codes.create(by);
    String late = codes.create(by);

    now = now.plus(VALID).minusMillis(1);
    assertThat(codes.use(used)).contains(by);
    now = now.plusMillis(1);
    assertThat(codes.use(late)).isEmpty();
  }

  @Test
  void a_new_code_keeps_the_valid_ones() {
    String first = codes.create(by);
    String second = codes.create(by);

    assertThat(codes.use(first)).contains(by);
    assertThat(codes.use(second)).contains(by);
  }
}
