"""A check's report as one page of HTML: nothing is fetched, it fits a phone, and it follows the reader's light."""

from __future__ import annotations

from html import escape

from ludoteca.catalogues import Language
from ludoteca.course.check.report import UNDECIDED, Finding, Report
from ludoteca.messages import Speaker

STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1d1f23; --soft: #5b616b; --rule: #d9dce1;
  --good: #15693a; --note: #7a5200; --bad: #a8201a; --unknown: #5b616b; }
@media (prefers-color-scheme: dark) { :root { --ground: #16181c; --ink: #e8eaee; --soft: #a4abb6; --rule: #343941;
  --good: #6fce97; --note: #e5b660; --bad: #ff8a80; --unknown: #a4abb6; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 0; }
.verdict { font-weight: 600; }
section { border-top: 1px solid var(--rule); padding: .75rem 0; overflow-wrap: anywhere; }
section p { margin: .25rem 0; }
.good .mark, p.good { color: var(--good); } .note .mark { color: var(--note); }
.bad .mark, p.bad { color: var(--bad); } .unknown .mark, p.unknown { color: var(--unknown); }
.detail, footer { color: var(--soft); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin-top: .5rem; }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--rule); white-space: nowrap; }
"""


def page(report: Report, language: Language) -> str:
    """The whole page. Whatever a submission said in it is text and nothing else."""
    speaker = Speaker(language)
    title = escape(speaker.say("Check of {name}", name=report.submission))
    about = speaker.say(
        "{game}, {limit} a move; the check took {seconds:.0f} s.",
        game=report.game,
        limit=report.limit or speaker.say("no limit"),
        seconds=report.seconds,
    )
    kind = {0: "good", UNDECIDED: "unknown"}.get(report.exit_status, "bad")
    body = "".join(_section(finding, speaker) for finding in report.findings)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
        f'<p class="verdict {kind}">{escape(speaker.translate(report.summary))}</p>\n{body}'
        f"<footer><p>{escape(about)}</p></footer>\n</main>\n</body>\n</html>\n"
    )


def _section(finding: Finding, speaker: Speaker) -> str:
    verdict = escape(speaker.translate(finding.verdict.words))
    mark = f'<span class="mark" role="img" aria-label="{verdict}" title="{verdict}">{finding.verdict.mark}</span>'
    parts = [f"<h2>{mark} {escape(speaker.translate(finding.title))}</h2>"]
    parts.append(f"<p>{escape(speaker.translate(finding.text))}</p>")
    parts += [f'<p class="detail">{escape(speaker.translate(each))}</p>' for each in finding.details]
    if finding.table:
        head, *rows = [[escape(speaker.translate(cell)) for cell in row] for row in finding.table]
        heads = "".join(f'<th scope="col">{cell}</th>' for cell in head)
        lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        parts.append(f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>')
    return f'<section class="{finding.verdict}">\n' + "\n".join(parts) + "\n</section>\n"
