/** Everything that pages can do, switched on by what they contain. */
import "./appearance.js";
import "./confirm.js";
import "./copy.js";
import "./forms.js";
import "./live.js";
import "./moments.js";
import "./palette.js";
import "./search.js";
import "./shortcuts.js";
import "./tabs.js";
import "./composer.js";
import "./history.js";
import "./notices.js";
import "./reactions.js";
import "./running.js";
import "./walk.js";
