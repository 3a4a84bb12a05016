"""The teacher's pages and everything that their forms do. No student's session opens any of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from html import escape

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response

from ludoteca.errors import InvalidOption, LudotecaError
from ludoteca.league import baselines
from ludoteca.league.database import Person, Teacher, Version
from ludoteca.league.pages.board import Fragment
from ludoteca.league.pages.leaderboard import answer
from ludoteca.league.pages.site import LIVE, TEACHERS, Forbidden, LeagueSite, LeagueVisit, Page
from ludoteca.league.pages.teacher.files import DOWNLOADS, FileJobs
from ludoteca.league.pages.teacher.overview import overview, status
from ludoteca.league.pages.teacher.student import student_body
from ludoteca.league.similarity.comparison import source_of
from ludoteca.messages import say
from ludoteca.web.errors import NotFound

HOME = "/league/teacher"
PRIVATE = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"}
"""Headers of files: nothing in them runs, whatever a student wrote."""


def register(site: LeagueSite) -> None:
    """The pages below ``/league/teacher``."""
    jobs = FileJobs(site.folder, site.settings)

    @site.page(HOME, TEACHERS)
    def show(visit: LeagueVisit, request: Request) -> Page:
        return Page(visit.say("Teacher"), overview(site, visit, jobs))

    @site.page(f"{HOME}/student/{{person}}", TEACHERS)
    def show_student(visit: LeagueVisit, request: Request) -> Page:
        person = person_of(site, request.path_params["person"])
        return Page(person.name, student_body(site, visit, person))

    @site.page(f"{HOME}/source/{{version}}", TEACHERS)
    def show_source(visit: LeagueVisit, request: Request) -> Response:
        source = source_of(version_of(site, request.path_params["version"]))
        if source is None:
            raise NotFound(say("Its files are not there any more."))
        return Response(source.text, media_type="text/plain; charset=utf-8", headers=PRIVATE)

    @site.page(f"{HOME}/file/{{name}}", TEACHERS)
    def download(visit: LeagueVisit, request: Request) -> Response:
        name = request.path_params["name"]
        path = site.folder / DOWNLOADS[name] if name in DOWNLOADS else None
        if path is None or not path.is_file():
            raise NotFound(say("There is no such file yet."))
        shown = "inline" if name.endswith(".html") else "attachment"
        return FileResponse(path, headers=PRIVATE, filename=name, content_disposition_type=shown)

    async def live(request: Request) -> Response:
        visit = site.visit(request)
        if not isinstance(visit.viewer, Teacher):
            return Response(status_code=403)
        return answer(request, Fragment.of(await site.in_thread(status, site, visit)))

    site.pages.add_route(f"{LIVE}teacher", live, methods=["GET"])
    _register_actions(site, jobs)


def _register_actions(site: LeagueSite, jobs: FileJobs) -> None:
    @site.action(f"{HOME}/league", TEACHERS)
    def pause_league(visit: LeagueVisit, given: Mapping[str, str]) -> str:
        if given.get("action") == "pause":
            site.database.pause()
        else:
            site.database.resume()
        return HOME

    @site.action(f"{HOME}/version", TEACHERS)
    def change_version(visit: LeagueVisit, given: Mapping[str, str]) -> str:
        database, version = site.database, version_of(site, given.get("version", ""))
        if version.person is None:
            raise NotFound(say("there is no such version"))
        reason, action = given.get("reason", "").strip()[:500], given.get("action", "")
        if action in ("retire", "ban") and not reason:
            raise InvalidOption(say("Say why: the student reads it."))
        if action == "pause":
            database.pause(version.id)
        elif action == "resume":
            database.resume(version.id)
        elif action == "retire":
            database.retire(version, reason)
        elif action == "ban":
            database.ban(version, reason)
        elif action == "readmit":
            database.reinstate(version)
        return f"{HOME}/student/{version.person}"

    @site.action(f"{HOME}/code", TEACHERS)
    def change_code(visit: LeagueVisit, given: Mapping[str, str]) -> str | Response:
        person = person_of(site, given.get("person", ""))
        if given.get("action") == "revoke":
            site.database.revoke_code(person.id)
            return f"{HOME}/student/{person.id}"
        if given.get("action") != "new":
            return f"{HOME}/student/{person.id}"
        return site.shown(visit, new_link(visit, person, site.database.new_code(person.id)))

    @site.action(f"{HOME}/deadline", TEACHERS)
    def change_deadline(visit: LeagueVisit, given: Mapping[str, str]) -> str:
        person, text = person_of(site, given.get("person", "")), given.get("until", "").strip()
        try:
            until = datetime.fromisoformat(text).timestamp() if text else None
        except (ValueError, OverflowError, OSError):
            raise InvalidOption("{text} is no date with a time", text=text[:40]) from None
        site.database.extend(person.id, until)
        return f"{HOME}/student/{person.id}"

    @site.action(f"{HOME}/baseline", TEACHERS)
    def change_baseline(visit: LeagueVisit, given: Mapping[str, str]) -> str:
        if given.get("action") == "add":
            baselines.add_agent(site.database, site.settings, given.get("agent", "").strip())
        elif given.get("action") == "remove":
            version = version_of(site, given.get("version", ""))
            if version.person is None and site.database.final() is None:
                site.database.retire(version, "")
        return HOME

    @site.action(f"{HOME}/make", TEACHERS)
    def make(visit: LeagueVisit, given: Mapping[str, str]) -> str:
        jobs.start(given.get("make", ""), visit.language)
        return HOME

    async def hand_in_baseline(request: Request) -> Response:
        visit = site.visit(request)
        if not isinstance(visit.viewer, Teacher):  # before its bytes are read
            return site.error(visit, Forbidden(say("You may not see this page.")))
        async with request.form(max_files=1, max_fields=5) as form:
            file, token = form.get("file"), str(form.get("token", ""))
            data = await file.read() if isinstance(file, UploadFile) else b""
            name = (file.filename or "") if isinstance(file, UploadFile) else ""

        def handled() -> Response:
            try:
                site.check(visit, token)
                baselines.add_file(site.database, site.settings, data, name)
            except LudotecaError as error:
                return site.error(visit, error)
            return RedirectResponse(HOME, status_code=303)

        return await site.in_thread(handled)

    site.pages.add_route(f"{HOME}/baseline-file", hand_in_baseline, methods=["POST"])


def new_link(visit: LeagueVisit, person: Person, code: str) -> Page:
    """The page that shows a new link, once."""
    address = f"{visit.origin}/league/enter/{code}"
    text = visit.say("Copy the link now and give it to {name} alone. It is not shown again.", name=person.name)
    body = (
        f'<section class="card message"><h1 class="title">{escape(visit.say("A new link"))}</h1>'
        f'<p>{escape(text)}</p><pre class="link">{escape(address)}</pre>'
        f'<a class="button" href="{HOME}/student/{person.id}">{escape(visit.say("Done"))}</a></section>'
    )
    return Page(person.name, body)


def person_of(site: LeagueSite, text: str) -> Person:
    """The person with this number. Raises NotFound."""
    found = next((each for each in site.database.people() if str(each.id) == text), None)
    if found is None:
        raise NotFound(say("there is nobody with this number"))
    return found


def version_of(site: LeagueSite, text: str) -> Version:
    """The version with this number. Raises NotFound and InvalidOption."""
    if not text.isdecimal() or len(text) > 15:
        raise NotFound(say("there is no such version"))
    return site.database.version(int(text))
