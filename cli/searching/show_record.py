"""`mem show` of a turn with those around it, a memory with its sources, and other records."""

from dataclasses import asdict

import click

from cli.invocation import CliContext
from cli.output import print_json, shown
from cli.searching.past_statements import no_longer_so
from memory.conversations.memories.why import Why
from memory.conversations.turns.showing import DisplayTurn, TurnContent
from memory.episodes.triples.values import TripleContent
from memory.episodes.values import EpisodeContent


def print_record(context: CliContext, content: object) -> None:
    """Print the cited record, for people or programs; kinds without a form of their own as JSON."""
    if isinstance(content, Why):
        from cli.conversations.memories import print_why

        print_why(context, content)
    elif isinstance(content, TurnContent):
        _print_turn(context, content)
    elif isinstance(content, EpisodeContent):
        from cli.conversations.episodes import print_episode

        print_episode(context, content)
    elif isinstance(content, TripleContent) and not context.json:
        _print_triple(content)
    else:
        from cli.records.printing import SHOWN, print_one

        if isinstance(content, SHOWN):
            print_one(context, content)
        else:
            print_json(content)


def _print_triple(content: TripleContent) -> None:
    """The fact, how sure and how well remembered it is, and what it rests on."""
    triple = content.triple
    lines = [
        click.style(shown(content.text), bold=True),
        f"  {content.state}, confidence {triple.confidence:.2f}, "
        f"recall {content.retrievability:.2f}, used {triple.access_count} times",
        *(
            f"  {one.citation}, {one.occurred_at[:10]}, {one.status}: {shown(one.content)}"
            for one in content.memories
        ),
        f"  said in {', '.join(content.episodes)}",
        *([f"  {no_longer_so(content.superseded)}"] if content.superseded else []),
    ]
    click.echo("\n".join(lines))


def _print_turn(context: CliContext, content: TurnContent) -> None:
    if context.json:
        around = {"before": content.before, "after": content.after}
        rest = {name: [asdict(turn) for turn in turns] for name, turns in around.items()}
        rest["superseded"] = [asdict(past) for past in content.superseded]
        print_json({**asdict(content.turn), **_about(content), **rest})
        return
    blocks = [
        *(_block(turn, is_asked=False) for turn in content.before),
        "\n".join(
            [
                _block(content.turn, is_asked=True),
                *(f"    {no_longer_so(over)}" for over in content.superseded),
            ]
        ),
        *(_block(turn, is_asked=False) for turn in content.after),
    ]
    click.echo("\n\n".join(blocks))


def _about(content: TurnContent) -> dict[str, object]:
    names = ("session_id", "tags", "metadata", "image_paths")
    return {name: getattr(content, name) for name in names}


def _block(turn: DisplayTurn, *, is_asked: bool) -> str:
    """The speaker and time, then the text; dimmed unless it is the cited turn."""
    moment = turn.occurred_at[:16].replace("T", " ")
    colour = "cyan" if turn.role == "assistant" else "green"
    who = click.style(shown(turn.speaker or turn.role), fg=colour, bold=is_asked)
    head = f"{'>' if is_asked else ' '} {who}  {shown(turn.citation.rpartition(', ')[0])}  {moment}"
    lines = [shown(line.expandtabs(4)) for line in turn.text.splitlines()]
    body = (f"    {line if is_asked else click.style(line, dim=True)}".rstrip() for line in lines)
    return "\n".join([head, *body])
