package dev.substrat.platform.identity;

/// Id of a credential: the public half of a token.
public record CredentialId(String value) {

  public static CredentialId random() {
    return new CredentialId(Uuid7.next());
  }

  @Override
  public String toString() {
    return value;
  }
}
