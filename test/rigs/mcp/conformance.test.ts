import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeSuite, newerNode, suite } from './suite.js'

const adapter = join(import.meta.dirname, 'adapter.js')

/** The scored scenarios of 2026-07-28 about authorization that the suite keeps apart from `--suite auth`. */
const SINCE_2026 = [
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
  'authorization-server-migration',
  'iss-supported',
  'iss-not-advertised',
  'iss-supported-missing',
  'iss-wrong-issuer',
  'iss-unexpected',
  'iss-normalized',
  'metadata-issuer-mismatch',
]

/** Runs scenarios, and returns their names with the result. Scenarios run at the same time, so each gets more time. */
function results(...args: readonly string[]): { status: number | null; passed: string[]; failed: string[] } {
  const run = spawnSync(
    newerNode,
    [suite, 'client', ...args, '--timeout', '120000', '--command', `${newerNode} ${adapter}`],
    {
      encoding: 'utf8',
      env: { ...process.env, OAUTH_LAB_NODE: process.execPath },
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  const lines = `${run.stdout}\n${run.stderr}`.split('\n')
  const named = (mark: string) => lines.flatMap(line => (line.startsWith(mark) ? [line.slice(2)] : []))
  return { status: run.status, passed: named('✓ '), failed: named('✗ ') }
}

describeSuite('the client of MCP in the conformance suite', () => {
  it.each([
    ['2026-07-28', ['--suite', 'auth', '--spec-version', '2026-07-28'], 14],
    ['2025-11-25', ['--suite', 'auth', '--spec-version', '2025-11-25'], 14],
    ['2025-06-18', ['--suite', 'auth', '--spec-version', '2025-06-18'], 3],
    ['2025-03-26', ['--suite', 'backcompat', '--spec-version', '2025-03-26'], 2],
    ['the extensions', ['--suite', 'extensions'], 6],
  ] as const)(
    '%s',
    (_revision, args, count) => {
      const { status, passed, failed } = results(...args)
      expect(failed).toEqual([])
      expect(passed).toHaveLength(count)
      expect(status).toBe(0)
    },
    600_000,
  )

  it.each(SINCE_2026)(
    '2026-07-28: %s',
    scenario => {
      const { status } = results('--scenario', `auth/${scenario}`, '--spec-version', '2026-07-28')
      expect(status).toBe(0)
    },
    300_000,
  )
})
