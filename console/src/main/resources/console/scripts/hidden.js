/**
 * Text of agents that a script puts on a page, with hidden characters as `\u{202E}`; the daemon does the same for
 * whole pages. Joiners stay between characters of scripts and emoji that need them.
 */
const HIDDEN = /(?![\n\t\u200c\u200d\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]|(?<=^|[\0-\u02ff])[\u200c\u200d\ufe0e\ufe0f]/gu;

export const visible = text => String(text ?? "").replace(HIDDEN, c => `\\u{${c.codePointAt(0).toString(16).toUpperCase()}}`);
