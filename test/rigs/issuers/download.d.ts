/** The folder of a server. It is there only when every file of the server was downloaded and had its SHA-256. */
export function folderOf(name: string): string
