/** Everything that pages can do, switched on by what they contain. */
import "./appearance.js";
import "./confirm.js";
import "./copy.js";
import "./every.js";
import "./forms.js";
import "./live.js";
import "./moments.js";
import "./order.js";
import "./palette.js";
import "./preview.js";
import "./search.js";
import "./shortcuts.js";
import "./skills.js";
import "./tabs.js";
import "./talk.js";
import "./team.js";
