package dev.substrat.toolset.custom;

import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.SpaceAccess;
import dev.substrat.store.Tx;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;

/// Access rules of pending calls. An operator may see and answer all of them, another person those
/// that were asked in a space of which the person is a member. An agent may answer none, or it
/// could approve its own calls. That a call exists is no secret, its arguments are.
public final class PendingCallAccess {
  private PendingCallAccess() {}

  /// The call, if `who` may see it.
  public static PendingCall requireVisible(Tx tx, Principal who, String id) {
    return require(tx, who, Scope.APPROVALS_READ, id);
  }

  /// The call, if `who` may answer or decline it.
  static PendingCall requireAnswerable(Tx tx, Principal who, String id) {
    return require(tx, who, Scope.APPROVALS_ANSWER, id);
  }

  /// Whether `who` may answer or decline the call.
  public static boolean mayAnswer(Tx tx, Principal who, PendingCall call) {
    return new CallerPermissions(who).may(Scope.APPROVALS_ANSWER)
        && SpaceAccess.isOperatorOrMember(tx, call.sight().space(), who);
  }

  /// Whether the caller may answer in the place of the service that was asked, with its URL. The
  /// URL needs no token, so it is shown to no other person: it would outlive a membership.
  static boolean mayAnswerForService(CallerPermissions caller, PendingCall call) {
    var about = new AccessTarget(call.owner(), call.sight().space());
    return caller.principal().isOperator() && caller.may(Scope.APPROVALS_ANSWER, about);
  }

  private static PendingCall require(Tx tx, Principal who, Scope scope, String id) {
    CallerPermissions.requireRole(who, scope);
    PendingCall call = require(tx, id);
    if (!SpaceAccess.isOperatorOrMember(tx, call.sight().space(), who)) {
      throw ErrorCode.FORBIDDEN.fault(
          "only operators and members of the space of call %s can see or answer the call"
              .formatted(id),
          call.sight().space() == null ? "ask an operator" : "join the space, or ask an operator");
    }
    return call;
  }

  /// The call, without a check of access.
  static PendingCall require(Tx tx, String id) {
    return PendingCalls.find(tx, id)
        .orElseThrow(() ->
            ErrorCode.NOT_FOUND.fault(
                "pending call " + id + " not found",
                "list open calls (GET /api/pending, ./substrat pending list)"));
  }
}
