/** Paths of the demo client. */
export const clientPaths: readonly string[] = [
  ...['/', '/login', '/callback', '/callback/lab', '/callback/*', '/notes', '/notes/delete', '/logout'],
  ...['/logged-out', '/*'],
]

/** Parameters of its queries and forms. */
export const clientParameters: Readonly<Record<string, readonly string[]>> = {
  issuer: ['lab', 'x'],
  return_to: ['/notes', '//evil.example', 'https://evil.example/', '/\\evil.example', '/%'],
  code: ['SplxlOBeZQQYbYS6WxSbIA'],
  state: ['s'],
  iss: ['https://localhost:8443', 'x'],
  error: ['access_denied', '<script>'],
  error_description: ['<script>', 'x'.repeat(3000)],
  access_token: ['x'],
  text: ['a note', '<script>alert(1)</script>', 'x'.repeat(3000)],
  note: ['x'],
  csrf: ['x', 'A'.repeat(86)],
}
