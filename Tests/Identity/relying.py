# SPDX-License-Identifier: MIT
"""The service that nginx asks for the user of a request. It sends people to an OpenID provider, and remembers
those who have come back. Its fields have the names of oauth2-proxy's."""

import secrets
import threading

import flask
import werkzeug.serving
from authlib.integrations.flask_client import OAuth


class RelyingParty:
    """A service on a thread of its own. `/oauth2/auth` answers 200 for everybody, and adds the user's fields for a
    person who has signed in."""

    def __init__(self, provider):
        app = flask.Flask("relying party")
        app.secret_key = secrets.token_hex(32)
        app.config["SESSION_COOKIE_NAME"] = "relying"
        app.config["SESSION_COOKIE_SAMESITE"] = "Lax"
        oauth = OAuth(app)
        oauth.register(
            "provider", client_id="euripus", client_secret=secrets.token_hex(16),
            server_metadata_url=f"{provider}/.well-known/openid-configuration", client_kwargs={"scope": "openid profile email"})
        # The roles that the operator gives. The operator may take them away at any time.
        self.roles = {}

        @app.get("/oauth2/auth")
        def auth():
            user = flask.session.get("user")
            if not user:
                return "", 200
            said = {"User": user["id"], "Preferred-Username": user["name"], "Groups": self.roles.get(user["id"], "")}
            return "", 200, {f"X-Auth-Request-{name}": value for name, value in said.items()}

        @app.get("/oauth2/login")
        def login():
            there = f"http://{flask.request.headers['X-Forwarded-Host']}/oauth2/back"
            return oauth.provider.authorize_redirect(there)

        @app.get("/oauth2/back")
        def back():
            token = oauth.provider.authorize_access_token()
            claims = token["userinfo"]
            flask.session["user"] = {"id": claims["sub"], "name": claims.get("name", claims["sub"])}
            return flask.redirect("/account")

        @app.post("/oauth2/logout")
        def logout():
            flask.session.clear()
            return "", 204

        self.server = werkzeug.serving.make_server("127.0.0.1", 0, app, threaded=True)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.1,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
