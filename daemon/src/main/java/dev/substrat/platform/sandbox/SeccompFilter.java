package dev.substrat.platform.sandbox;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Seccomp program that rejects system calls which tools of agents do not need and which were used
/// to escape from sandboxes: mounting, tracing, keys, kernel modules, nested user namespaces.
///
/// They fail with EPERM. `clone3` fails with ENOSYS, because seccomp cannot read its flags: every C
/// library falls back to `clone`, whose flags it can read.
record SeccompFilter(int architecture, int cloneCall, List<Integer> refused) {
  /// Calls since Linux 5.1 have the same number on every processor.
  private static final String NEW_CALLS =
      """
      io_uring_setup 425 io_uring_enter 426 io_uring_register 427 open_tree 428 move_mount 429
      fsopen 430 fsconfig 431 fsmount 432 fspick 433 mount_setattr 442 quotactl_fd 443
      """;

  private static final SeccompFilter X86_64 =
      of(
          0xC000_003E,
          56,
          """
          ptrace 101 syslog 103 vhangup 153 pivot_root 155 chroot 161 acct 163 settimeofday 164
          mount 165 umount2 166 swapon 167 swapoff 168 reboot 169 iopl 172 ioperm 173
          init_module 175 delete_module 176 quotactl 179 lookup_dcookie 212 clock_settime 227
          kexec_load 246 add_key 248 request_key 249 keyctl 250 unshare 272 perf_event_open 298
          open_by_handle_at 304 clock_adjtime 305 setns 308 process_vm_readv 310
          process_vm_writev 311 finit_module 313 kexec_file_load 320 bpf 321 userfaultfd 323
          """);

  private static final SeccompFilter AARCH64 =
      of(
          0xC000_00B7,
          220,
          """
          lookup_dcookie 18 umount2 39 mount 40 pivot_root 41 chroot 51 vhangup 58 quotactl 60
          acct 89 unshare 97 kexec_load 104 init_module 105 delete_module 106 clock_settime 112
          syslog 116 ptrace 117 reboot 142 settimeofday 170 add_key 217 request_key 218 keyctl 219
          swapon 224 swapoff 225 perf_event_open 241 open_by_handle_at 265 clock_adjtime 266
          setns 268 process_vm_readv 270 process_vm_writev 271 finit_module 273 bpf 280
          userfaultfd 282 kexec_file_load 294
          """);

  private static final int CLONE3 = 435;
  private static final int NEW_USER_NAMESPACE = 0x1000_0000;

  /// Numbers of the x32 ABI begin here: the same calls under other numbers.
  private static final int X32 = 0x4000_0000;

  private static final int NUMBER = 0;
  private static final int ARCHITECTURE = 4;
  private static final int FIRST_ARGUMENT = 16;

  private static final short LOAD = 0x20;
  private static final short IF_EQUAL = 0x15;
  private static final short IF_AT_LEAST = 0x35;
  private static final short IF_ANY_BIT = 0x45;
  private static final short RETURN = 0x06;

  private static final int ALLOW = 0x7FFF_0000;
  private static final int NOT_PERMITTED = 0x0005_0001;
  private static final int NOT_IMPLEMENTED = 0x0005_0026;

  SeccompFilter {
    refused = List.copyOf(refused);
  }

  /// `calls` are names, each followed by its number.
  private static SeccompFilter of(int architecture, int cloneCall, String calls) {
    String[] words = (calls + NEW_CALLS).strip().split("\\s+");
    var numbers = new ArrayList<Integer>();
    for (int i = 1; i < words.length; i += 2) {
      numbers.add(Integer.valueOf(words[i]));
    }
    return new SeccompFilter(architecture, cloneCall, numbers);
  }

  /// The filter for this machine; empty if the processor is not supported.
  static Optional<SeccompFilter> here() {
    return switch (System.getProperty("os.arch", "")) {
      case "amd64", "x86_64" -> Optional.of(X86_64);
      case "aarch64" -> Optional.of(AARCH64);
      default -> Optional.empty();
    };
  }

  /// The program in the format of the kernel. Jumps are counted from the following instruction.
  byte[] program() {
    int length = 12 + refused.size();
    int deny = length - 2;
    var out = ByteBuffer.allocate(length * 8).order(ByteOrder.LITTLE_ENDIAN);
    add(out, LOAD, 0, 0, ARCHITECTURE);
    add(out, IF_EQUAL, 0, to(out, deny), architecture);
    add(out, LOAD, 0, 0, NUMBER);
    add(out, IF_AT_LEAST, to(out, deny), 0, X32);
    for (int call : refused) {
      add(out, IF_EQUAL, to(out, deny), 0, call);
    }
    add(out, IF_EQUAL, to(out, length - 1), 0, CLONE3);
    add(out, IF_EQUAL, 1, 0, cloneCall);
    add(out, RETURN, 0, 0, ALLOW);
    add(out, LOAD, 0, 0, FIRST_ARGUMENT);
    add(out, IF_ANY_BIT, to(out, deny), 0, NEW_USER_NAMESPACE);
    add(out, RETURN, 0, 0, ALLOW);
    add(out, RETURN, 0, 0, NOT_PERMITTED);
    add(out, RETURN, 0, 0, NOT_IMPLEMENTED);
    return out.array();
  }

  private static int to(ByteBuffer out, int target) {
    return target - out.position() / 8 - 1;
  }

  private static void add(ByteBuffer out, short code, int ifTrue, int ifFalse, int value) {
    out.putShort(code).put((byte) ifTrue).put((byte) ifFalse).putInt(value);
  }
}
