import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { shellWord } from '../../protocol/safe-output/shell.js'

/** Variables by which Node.js, OpenSSL, curl and Python trust the CA of a lab. @param caFile its path */
export const trusting = (caFile: string): NodeJS.ProcessEnv => ({
  CA: caFile,
  NODE_EXTRA_CA_CERTS: caFile,
  SSL_CERT_FILE: caFile,
  CURL_CA_BUNDLE: caFile,
  REQUESTS_CA_BUNDLE: caFile,
})

/**
 * Writes a launcher named `oauth-lab` into a folder, so that the lines of a shell run this very program.
 * @param folder is made where it is missing
 * @param program the command that starts the program: node, its options, the path of the program
 * @returns PATH with the folder in front
 */
export async function launcherPath(folder: string, program: readonly string[]): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const words = program.map(word => shellWord(word)).join(' ')
  await writeFile(join(folder, 'oauth-lab'), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o700 })
  return `${folder}${delimiter}${process.env.PATH ?? ''}`
}
