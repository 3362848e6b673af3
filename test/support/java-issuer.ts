import { existsSync } from 'node:fs'
import { describe } from 'vitest'
import { folderOf } from '../rigs/issuers/download.js'

/** The authorization servers of other projects that run on Java. */
export type JavaIssuer = 'keycloak' | 'mock-oauth2-server'

function whySkipped(server: JavaIssuer): string | undefined {
  if (process.env.OAUTH_LAB_ISSUERS !== 'run') return 'npm run issuers starts it'
  return existsSync(folderOf(server)) ? undefined : 'not downloaded'
}

/**
 * `describe` for tests against a server on Java, which takes long to start: `npm run issuers` downloads it and runs them.
 * Without it the tests are skipped, with the reason in their name.
 */
export function describeAgainst(server: JavaIssuer, name: string, body: () => void): void {
  const reason = whySkipped(server)
  if (reason === undefined) describe(name, body)
  else describe.skip(`${name} (skipped: ${reason})`, body)
}
