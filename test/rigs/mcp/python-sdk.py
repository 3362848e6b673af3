# The official Python SDK of MCP registers itself, logs alice in, calls a tool and steps up for another: python python-sdk.py MCP CA
# Prints what the server answered as JSON.
import asyncio
import json
import re
import ssl
import sys
from urllib.parse import parse_qs, urlparse

import httpx2
from mcp import ClientSession
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

server, ca = sys.argv[1:3]
context = ssl.create_default_context(cafile=ca)
landed = {}


class Storage:
    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def log_in(url):
    async with httpx2.AsyncClient(verify=context) as browser:
        page = await browser.get(url)
        csrf = re.search(r'name="csrf" value="([^"]*)"', page.text).group(1)
        form = {"username": "alice", "password": "wonderland", "csrf": csrf}
        answer = await browser.post(url, data=form)
        landed.update(parse_qs(urlparse(answer.headers["location"]).query))


async def callback():
    return AuthorizationCodeResult(code=landed["code"][0], state=landed["state"][0], iss=landed["iss"][0])


async def main():
    metadata = OAuthClientMetadata(
        client_name="Python SDK",
        redirect_uris=["http://127.0.0.1:7000/callback"],
        grant_types=["authorization_code"],
        token_endpoint_auth_method="none",
    )
    auth = OAuthClientProvider(
        server_url=server,
        client_metadata=metadata,
        storage=Storage(),
        redirect_handler=log_in,
        callback_handler=callback,
    )
    async with httpx2.AsyncClient(verify=context, auth=auth) as http:
        async with streamable_http_client(server, http_client=http) as (read, write, *_):
            async with ClientSession(read, write) as session:
                await session.initialize()
                tools = await session.list_tools()
                who = await session.call_tool("whoami", {})
                wrote = await session.call_tool("write_record", {"value": "by the SDK"})
    answers = {"whoami": json.loads(who.content[0].text), "wrote": wrote.structured_content}
    print(json.dumps({"tools": [tool.name for tool in tools.tools], **answers}))


asyncio.run(main())
