import type { Finding } from '../../../src/judge/doctor/finding.js'
import { defined } from '../../../src/protocol/values.js'
import { type Ended, jsonLines, run, runProgram } from '../../support/program.js'

/** The members of the last line of a flow that the tests read. */
export interface FlowEnd {
  readonly code: number | null
  readonly stderr: string
  readonly outcome?: string
  readonly error?: {
    readonly error: string
    readonly rule?: string
    readonly error_description?: string
    readonly hints?: readonly string[]
  }
  readonly tokens?: Readonly<Record<string, unknown>>
}

/** A server, a client that is registered there, and the environment of the runs. */
export interface FlowTarget {
  readonly issuer: string
  readonly client: string
  readonly env: Readonly<Record<string, string>>
  readonly secret?: string
}

const environment = ({ env, secret }: FlowTarget) => ({
  ...env,
  ...(secret !== undefined && { OAUTH_LAB_CLIENT_SECRET: secret }),
})

/** Runs a flow to its end. */
export async function runFlow(name: string, target: FlowTarget, args: readonly string[]): Promise<FlowEnd> {
  const options = ['--issuer', target.issuer, '--client-id', target.client, '--json', ...args]
  const { code, stdout, stderr } = await runProgram(['flow', name, ...options], {
    env: environment(target),
    limit: 60_000,
  })
  return { ...(jsonLines(stdout).at(-1) as Partial<FlowEnd>), code, stderr }
}

/** Exports a flow as a curl script, and runs the script by bash. Its stdout is the access token. */
export async function replayFlow(
  name: string,
  target: FlowTarget,
  args: readonly string[],
  { password, cacert }: { readonly password?: string; readonly cacert?: string } = {},
): Promise<Ended> {
  const options = ['--issuer', target.issuer, '--client-id', target.client, '--export', 'curl', ...args]
  const exported = await runProgram(['flow', name, ...options], { env: environment(target), limit: 60_000 })
  if (exported.code !== 0) return exported
  const variables = {
    OAUTH_CLIENT_SECRET: target.secret,
    OAUTH_PASSWORD: password,
    OAUTH_LAB_CACERT: cacert,
  }
  return run('bash', ['-s'], {
    env: { ...target.env, ...defined(variables) },
    input: exported.stdout,
    limit: 60_000,
  })
}

/** Runs the doctor. Returns the names of its findings by their results. */
export async function runDoctor(
  target: FlowTarget,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly of: (result: string) => string[] }> {
  const options = [target.issuer, '--client-id', target.client, '--json', ...args]
  const { code, stdout } = await runProgram(['doctor', ...options], {
    env: environment(target),
    limit: 120_000,
  })
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] }
  return {
    code,
    of: result => findings.filter(each => each.result === result).map(({ name }) => name),
  }
}
