package dev.substrat.turn;

import dev.substrat.messaging.message.TurnDelivery;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.provider.Providers;
import dev.substrat.provider.prompt.PromptBuilder;
import dev.substrat.space.SpaceTurns;
import dev.substrat.store.event.EventLog;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.transcript.Transcript;
import dev.substrat.toolset.approval.ProviderApprovals;
import dev.substrat.toolset.team.TurnSubscriptions;
import dev.substrat.turn.run.TurnSpending;
import dev.substrat.turn.scheduling.RunningTurns;
import java.time.InstantSource;

/// Dependencies of a turn.
public record TurnDependencies(
    EventLog events,
    TurnDelivery delivery,
    TurnSubscriptions subscriptions,
    SpaceTurns spaces,
    Providers providers,
    ToolPipeline pipeline,
    PromptBuilder prompts,
    Transcript transcript,
    TurnSpending spending,
    ProviderApprovals permissions,
    CallPrefix.CallPrefixSource beginnings,
    RunningTurns running,
    Telemetry telemetry,
    InstantSource clock,
    TurnSleep pace) {}
