/** Logs alice in as a browser without scripts would. Returns the address that the server sends the browser to. */
export function logIn(url: URL, send?: typeof fetch): Promise<URL>
