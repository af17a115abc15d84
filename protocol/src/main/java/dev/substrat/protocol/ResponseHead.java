package dev.substrat.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Status and headers of a response. Header names are in lower case; a repeated header has several
/// values.
///
/// Parsing is strict: anything that two parsers could interpret differently is rejected, because
/// they would disagree where the next response on the same connection begins.
public record ResponseHead(int version, int status, Map<String, List<String>> headers) {
  private static final int MAX_BYTES = 64 * 1024;
  private static final int MAX_HEADERS = 200;
  private static final int MAX_INTERIM_RESPONSES = 10;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.([01]) ([1-9][0-9]{2})(?: .*)?");

  /// The head of the final response; interim responses are skipped.
  public static ResponseHead read(InputStream in) throws IOException {
    var lines = new HeaderLineReader(in, MAX_BYTES, "sent too many headers");
    for (int interim = 0; interim < MAX_INTERIM_RESPONSES; interim++) {
      ResponseHead head = readOne(lines);
      if (head.status >= 200) {
        return head;
      }
      if (head.status == 101) {
        throw MalformedResponse.broken("switched to another protocol");
      }
    }
    throw MalformedResponse.broken("sent too many interim responses");
  }

  private static ResponseHead readOne(HeaderLineReader lines) throws IOException {
    Matcher status = STATUS.matcher(lines.next());
    if (!status.matches()) {
      throw MalformedResponse.broken("did not answer with HTTP/1.1");
    }
    var headers = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
    int count = 0;
    for (String line = lines.next(); !line.isEmpty(); line = lines.next()) {
      int colon = line.indexOf(':');
      if (colon < 0 || !HeaderLineReader.isToken(line.substring(0, colon))) {
        throw MalformedResponse.broken("sent a malformed header");
      }
      if (++count > MAX_HEADERS) {
        throw MalformedResponse.tooLarge("sent too many headers");
      }
      headers
          .computeIfAbsent(line.substring(0, colon), _ -> new ArrayList<>())
          .add(line.substring(colon + 1).strip());
    }
    return new ResponseHead(
        Integer.parseInt(status.group(1)), Integer.parseInt(status.group(2)), headers);
  }

  public List<String> all(String name) {
    return headers.getOrDefault(name, List.of());
  }

  public Optional<String> first(String name) {
    return all(name).stream().findFirst();
  }
}
