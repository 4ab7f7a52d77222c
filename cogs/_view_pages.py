"""Pages to read: the leaderboard and the rules."""

from __future__ import annotations

from discord import ui

from bot.i18n import Texts
from bot.names import clean
from cogs._layout import DONE, Layout, box, button, preset_label, row, shown_name, text
from db.results import COUNTED_A_DAY
from db.standings import Page, Standing
from engine.rules import Rules


def leaderboard(texts: Texts, server: str, page: Page, *, kind: str, asker_user_id: int) -> Layout:
    """A page of a server's leaderboard, with the row of who asked wherever it stands."""
    title = texts("leaders-title", server=clean(server, texts("nameless")))
    about = texts("leaders-played" if kind == "match" else "leaders-quick")
    rows = [_standing(texts, standing) for standing in page.rows]
    parts: list[ui.Item[ui.LayoutView] | str] = [
        title + "\n" + about,
        "\n".join(rows) if rows else texts("leaders-empty"),
    ]
    if rows:
        own = texts("leaders-none-own") if page.own is None else texts("leaders-own", row=_standing(texts, page.own))
        parts += [ui.Separator(), own]
    number = 0 if kind == "match" else 1
    other = texts("button-leaders-quick" if kind == "match" else "button-leaders-played")
    buttons = [button(other, "leaderkind", 1 - number, asker_user_id)]
    footer = texts("leaders-counted", most=COUNTED_A_DAY)
    if page.pages > 1:
        first, last = page.number == 0, page.number + 1 >= page.pages
        before, after = max(0, page.number - 1), page.number + 1
        buttons = [
            button(texts("button-previous"), "leaders", number, before, asker_user_id, disabled=first),
            button(texts("button-next"), "leaders", number, after, asker_user_id, disabled=last),
            *buttons,
        ]
        footer = texts("leaders-page", page=page.number + 1, pages=page.pages, most=COUNTED_A_DAY)
    parts += [row(*buttons), footer]
    return Layout(box(DONE, *parts))


def _standing(texts: Texts, standing: Standing) -> str:
    return texts(
        "leaders-row",
        rank=standing.rank,
        name=shown_name(texts, standing.person),
        record=texts("leaders-record", wins=standing.wins, losses=standing.losses, draws=standing.draws),
    )


def rules(texts: Texts, chosen: Rules) -> Layout:
    """The rules as they are played, with an example each."""
    size = chosen.deck_size
    uneven = 5 if size % 5 else 3  # 40 and 20 cards come out even for five
    lines = [
        texts("rules-title"),
        texts("rules-deal", deck=size, each=size // 2),
        texts("rules-round"),
        texts("rules-war", facedown=texts("cards", n=chosen.face_down), pot=texts("cards", n=4 + 2 * chosen.face_down)),
        texts("rules-three"),
        texts(f"rules-short-{chosen.shortage}"),
        texts(f"rules-order-{chosen.order}"),
        texts(f"rules-left-{chosen.leftover}", deck=size, players=uneven, each=size // uneven, left=size % uneven),
        texts("rules-end", cap=chosen.max_rounds),
        texts("rules-name", preset=preset_label(texts, chosen)),
    ]
    return text("\n".join(lines))
