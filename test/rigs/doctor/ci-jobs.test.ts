import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DOMParser } from '@xmldom/xmldom'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commandFolder, launcher, run, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'

const CLIENT_SECRET = 'the secret of the client, 1'
const TEST_PASSWORD = 'the password of the user'

interface GitHubJob {
  readonly jobs: { readonly doctor: { readonly steps: readonly { readonly run?: string }[] } }
}
interface GitLabJob {
  readonly doctor: { readonly script: readonly string[] }
}
const read = (name: string): unknown => parse(readFileSync(`examples/ci/${name}.yml`, 'utf8'))

/** The lines of each job, as its runner hands them to bash. */
const jobs = {
  github: () => (read('github') as GitHubJob).jobs.doctor.steps.flatMap(({ run: line }) => line ?? []),
  gitlab: () => (read('gitlab') as GitLabJob).doctor.script,
} as const

interface SarifLog {
  readonly runs: readonly {
    readonly results: readonly { readonly ruleId: string; readonly level: string }[]
  }[]
}

describeWith([rigs, 'bash'], 'the CI jobs of examples/ci', () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  let lab: Serving
  let env: Record<string, string>

  beforeAll(async () => {
    const clients = [
      {
        client_id: 'web',
        client_secret: CLIENT_SECRET,
        redirect_uris: ['https://app.example/cb'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ]
    writeFileSync(
      at('lab.json'),
      JSON.stringify({ clients, users: [{ username: 'test', password: TEST_PASSWORD }] }),
    )
    lab = await serve(['--config', at('lab.json')])
    const bin = commandFolder(folder.path)
    // The package of this tree, in place of the published one.
    const npx = `#!/bin/sh\n[ "$1 $2" = "--yes oauth-lab" ] && shift 2\nexec '${process.execPath}' '${launcher}' "$@"\n`
    writeFileSync(join(bin, 'npx'), npx, { mode: 0o755 })
    env = {
      ...lab.env,
      PATH: `${bin}:${process.env.PATH}`,
      TEST_PASSWORD,
      OAUTH_LAB_CLIENT_SECRET: CLIENT_SECRET,
    }
  }, 240_000)
  afterAll(async () => {
    await lab?.remove()
    folder.remove()
  })

  const bash = (line: string) =>
    run(
      'bash',
      ['-e', '-o', 'pipefail', '-c', line.replaceAll('https://id.example', lab.ready.urls.authorization)],
      {
        env,
        cwd: folder.path,
        limit: 240_000,
      },
    )

  /** Runs the lines of a job with a baseline. Returns the exit code of the first that fails. */
  async function job(name: keyof typeof jobs, baseline: string): Promise<number | null> {
    writeFileSync(at('known.json'), baseline)
    const lines = jobs[name]()
    expect(lines).not.toEqual([])
    for (const line of lines) {
      const { code, stderr } = await bash(line)
      expect(stderr).not.toMatch(/error|unknown option|cannot/i)
      if (code !== 0) return code
    }
    return 0
  }

  /** The baseline that the comment of the GitHub job says to write. */
  async function written(): Promise<string> {
    const comment = /npx oauth-lab doctor … --json > known\.json/.exec(
      readFileSync('examples/ci/github.yml', 'utf8'),
    )
    expect(comment).not.toBeNull()
    const [line = ''] = jobs.github()
    await bash(line.replace(/--baseline \S+ -o sarif/, '--json').replace('doctor.sarif', 'known.json'))
    return readFileSync(at('known.json'), 'utf8')
  }

  const NOTHING = '{"findings":[]}'

  describe('GitHub', () => {
    const log = () => JSON.parse(readFileSync(at('doctor.sarif'), 'utf8')) as SarifLog

    it('fails for what is new, in a log that the schema of OASIS takes', { timeout: 240_000 }, async () => {
      expect(await job('github', NOTHING)).toBe(1)
      const { default: Ajv } = await import('ajv-draft-04')
      const require = createRequire(import.meta.url)
      const path = require.resolve('@microsoft/jest-sarif/package.json')
      const schema = readFileSync(join(path, '../lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8')
      const ajv = new Ajv.default({ strict: false, validateFormats: false, unicodeRegExp: false })
      const validate = ajv.compile(JSON.parse(schema) as object)
      expect([validate(log()), validate.errors]).toEqual([true, null])
      expect(validate({ ...log(), runs: [{}] })).toBe(false)
      expect(log().runs[0]?.results).toContainEqual(
        expect.objectContaining({ ruleId: 'password-not-announced', level: 'error' }),
      )
    })

    it('passes where everything is known, and opens no alert', { timeout: 240_000 }, async () => {
      expect(await job('github', await written())).toBe(0)
      expect(log().runs[0]?.results).toEqual([])
    })
  })

  it('GitLab: fails for what is new, in a report with a failed test', { timeout: 240_000 }, async () => {
    const failures = () => {
      const { documentElement } = new DOMParser().parseFromString(
        readFileSync(at('doctor.xml'), 'utf8'),
        'text/xml',
      )
      return Array.from(documentElement.getElementsByTagName('failure')).map(each =>
        (each.parentNode as Element).getAttribute('name'),
      )
    }
    expect(await job('gitlab', NOTHING)).toBe(1)
    expect(failures()).toEqual(['password-not-announced'])
    expect(await job('gitlab', await written())).toBe(0)
    expect(failures()).toEqual([])
  })
})
