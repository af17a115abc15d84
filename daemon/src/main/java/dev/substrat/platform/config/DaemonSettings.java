package dev.substrat.platform.config;

import dev.substrat.platform.sandbox.SandboxSettings;
import dev.substrat.protocol.DefaultDataDirectory;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// All settings of a daemon, with defaults.
///
/// `database` is a PostgreSQL URL; default: the embedded database in `data`. `hosts` are further
/// host names of the daemon. After `lease` without a sign of life, another daemon takes over its
/// agents. A stopping daemon waits up to `stopGrace` for running turns. `guards` apply to all
/// spaces. `semanticSearch` enables search by meaning, which keeps a model in memory. Custom tools
/// may call `allowHosts` although they are not public, and read the environment variables
/// `allowEnv`. `publicUrl` is the URL for other machines, if it differs from the listen address.
/// With `tls` the TCP port uses HTTPS. `remoteTools` is the policy for new tools of remote servers;
/// its default depends on who can reach the daemon. `sandbox` applies to every program of an agent.
/// `pools` are used with a shared database.
public record DaemonSettings(
    String host,
    int port,
    Path data,
    @Nullable String database,
    int slots,
    String logLevel,
    Set<String> hosts,
    SlotShares shares,
    Duration lease,
    SpaceGuardLimits guards,
    boolean semanticSearch,
    Set<String> allowHosts,
    Set<String> allowEnv,
    @Nullable PublicUrl publicUrl,
    @Nullable TlsFiles tls,
    @Nullable RemoteToolPolicy remoteTools,
    SandboxSettings sandbox,
    Duration stopGrace,
    ConnectionPools pools) {

  public static final int DEFAULT_PORT = 7420;

  /// Long enough for a short pause of the machine, short enough to restart the agents of a dead
  /// daemon soon.
  public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

  public static final Duration DEFAULT_STOP_GRACE = Duration.ofSeconds(5);

  private static final Duration MAX_STOP_GRACE = Duration.ofHours(1);

  private static final Set<String> LEVELS = Set.of("debug", "info", "warn", "error");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /// Maximum number of slots of one team and of one provider at a time; default: all.
  public record SlotShares(@Nullable Integer perTeam, Map<String, Integer> perProvider) {
    public static final SlotShares ALL = new SlotShares(null, Map.of());

    public SlotShares {
      perProvider = Map.copyOf(perProvider);
      require(perTeam == null || perTeam >= 1, "slotsPerTeam must be 1 or more");
      perProvider.forEach((provider, most) ->
          require(most >= 1, "slotsPerProvider/" + provider + " must be 1 or more"));
    }
  }

  public DaemonSettings {
    data = data.toAbsolutePath().normalize();
    sandbox = sandbox.hiding(data);
    sandbox = tls == null ? sandbox : sandbox.hiding(tls.key());
    hosts = Set.copyOf(hosts);
    allowHosts = Set.copyOf(allowHosts);
    allowEnv = Set.copyOf(allowEnv);
    allowEnv.forEach(name ->
        require(
            VARIABLE.matcher(name).matches(),
            "allowEnv: " + name + " is not the name of an environment variable"));
    require(port >= 0 && port <= 65_535, "port must be between 0 and 65535");
    require(slots >= 1 && slots <= 10_000, "slots must be between 1 and 10000");
    require(LEVELS.contains(logLevel), "log must be debug, info, warn or error");
    require(!host.isBlank(), "host must not be empty");
    require(
        lease.toSeconds() >= 1 && lease.toSeconds() <= 3600,
        "leaseSeconds must be between 1 and 3600");
    require(stopGrace.compareTo(MAX_STOP_GRACE) <= 0, "stopGrace must be between 0s and 60m");
  }

  /// With defaults for rarely changed settings.
  public DaemonSettings(
      String host,
      int port,
      Path data,
      @Nullable String database,
      int slots,
      String logLevel,
      Set<String> hosts) {
    this(
        host,
        port,
        data,
        database,
        slots,
        logLevel,
        hosts,
        SlotShares.ALL,
        DEFAULT_LEASE,
        SpaceGuardLimits.DEFAULT,
        true,
        Set.of(),
        Set.of(),
        null,
        null,
        null,
        SandboxSettings.DEFAULT,
        DEFAULT_STOP_GRACE,
        ConnectionPools.DEFAULT);
  }

  /// Settings from flags and the configuration file; flags have precedence.
  public static DaemonSettings of(CommandLineFlags flags) {
    Path data =
        flags.data() == null ? DefaultDataDirectory.defaultPath(System.getenv()) : flags.data();
    SettingsFile file =
        flags.config() == null
            ? SettingsFile.readIfThere(data.resolve("config.yaml"))
            : SettingsFile.read(flags.config());
    return of(flags, data, file);
  }

  static DaemonSettings of(CommandLineFlags flags, Path data, SettingsFile file) {
    return new DaemonSettings(
        first(flags.host(), file.host(), "127.0.0.1"),
        first(flags.port(), file.port(), DEFAULT_PORT),
        data,
        Optional.ofNullable(flags.database()).orElse(file.db()),
        first(flags.slots(), file.slots(), 4),
        first(flags.logLevel(), file.log(), "info"),
        file.hosts() == null ? Set.of() : Set.copyOf(file.hosts()),
        new SlotShares(
            file.slotsPerTeam(),
            file.slotsPerProvider() == null ? Map.of() : file.slotsPerProvider()),
        file.leaseSeconds() == null ? DEFAULT_LEASE : Duration.ofSeconds(file.leaseSeconds()),
        file.spaces() == null ? SpaceGuardLimits.DEFAULT : file.spaces().guards(),
        file.semanticSearch() == null || file.semanticSearch(),
        Set.copyOf(first(flags.allowHosts(), file.allowHosts(), List.of())),
        Set.copyOf(first(flags.allowEnv(), file.allowEnv(), List.of())),
        Optional.ofNullable(flags.publicUrl())
            .or(() -> Optional.ofNullable(file.publicUrl()))
            .map(PublicUrl::parse)
            .orElse(null),
        tls(flags, file.tls()),
        file.remoteTools() == null ? null : RemoteToolPolicy.parse(file.remoteTools()),
        flags.config() == null
            ? file.sandboxSettings()
            : file.sandboxSettings().hiding(flags.config()),
        file.stopGrace() == null ? DEFAULT_STOP_GRACE : duration("stopGrace", file.stopGrace()),
        file.dbPool() == null ? ConnectionPools.DEFAULT : file.dbPool().sizes());
  }

  private static @Nullable TlsFiles tls(
      CommandLineFlags flags, SettingsFile.@Nullable TlsSettings file) {
    return TlsFiles.of(
        flags.tlsCert() != null || file == null ? flags.tlsCert() : Path.of(file.cert()),
        flags.tlsKey() != null || file == null ? flags.tlsKey() : Path.of(file.key()));
  }

  private static Duration duration(String key, String text) {
    try {
      return DurationParser.parse(text);
    } catch (Fault fault) {
      throw new Fault(
          fault.code(), key + " must be a duration such as 500ms, 30s or 5m", fault.hint(), fault);
    }
  }

  /// Whether the daemon listens on the loopback interface only.
  public boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      // The address is unknown, so it does not count as loopback; the start will fail.
      return false;
    }
  }

  /// Flags of the command line; missing ones are null.
  public record CommandLineFlags(
      @Nullable Path config,
      @Nullable Path data,
      @Nullable String host,
      @Nullable Integer port,
      @Nullable String database,
      @Nullable Integer slots,
      @Nullable String logLevel,
      @Nullable List<String> allowHosts,
      @Nullable List<String> allowEnv,
      @Nullable String publicUrl,
      @Nullable Path tlsCert,
      @Nullable Path tlsKey) {
    static final CommandLineFlags NONE =
        new CommandLineFlags(
            null, null, null, null, null, null, null, null, null, null, null, null);
  }

  /// With other allowed hosts and variables.
  public DaemonSettings allowing(Set<String> otherHosts, Set<String> otherVariables) {
    return with(otherHosts, otherVariables, publicUrl, tls);
  }

  /// Found by others at `where`.
  public DaemonSettings foundAt(PublicUrl where) {
    return with(allowHosts, allowEnv, where, tls);
  }

  /// With HTTPS on the TCP port.
  public DaemonSettings withTls(TlsFiles files) {
    return with(allowHosts, allowEnv, publicUrl, files);
  }

  private DaemonSettings with(
      Set<String> otherHosts,
      Set<String> otherVariables,
      @Nullable PublicUrl where,
      @Nullable TlsFiles files) {
    return new DaemonSettings(
        host,
        port,
        data,
        database,
        slots,
        logLevel,
        hosts,
        shares,
        lease,
        guards,
        semanticSearch,
        otherHosts,
        otherVariables,
        where,
        files,
        remoteTools,
        sandbox,
        stopGrace,
        pools);
  }

  private static <T> T first(@Nullable T flag, @Nullable T file, T fallback) {
    if (flag != null) {
      return flag;
    }
    return file == null ? fallback : file;
  }

  private static void require(boolean fine, String message) {
    if (!fine) {
      throw ErrorCode.INVALID_CONFIG.fault(message, "see ./substrat up --help");
    }
  }
}
