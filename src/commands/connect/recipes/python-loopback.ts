// Lines of Python programs that wait for their redirect at a free port of 127.0.0.1 (RFC 8252 §7.3).

export const LISTEN = [
  'class Callback(BaseHTTPRequestHandler):',
  '    def do_GET(self):',
  '        self.server.landed = redirect_uri + self.path.removeprefix("/callback")',
  '        self.send_response(200)',
  '        self.end_headers()',
  '        self.wfile.write(b"You may close this tab.")',
  '',
  '    def log_message(self, *_):',
  '        pass',
  '',
  '',
  'server = HTTPServer(("127.0.0.1", 0), Callback)',
  'redirect_uri = f"http://127.0.0.1:{server.server_port}/callback"',
].join('\n')
