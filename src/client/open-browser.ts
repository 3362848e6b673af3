import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** The way to start a browser: commands to try in turn, the default of the system, or no browser. */
export type BrowserPlan =
  | { readonly kind: 'commands'; readonly commands: readonly (readonly string[])[] }
  | { readonly kind: 'system' }
  | { readonly kind: 'none'; readonly reason: string }

const displays = ['DISPLAY', 'WAYLAND_DISPLAY', 'MIR_SOCKET'] as const

/** Splits a command of BROWSER into arguments. `%s` stands for the URL; without `%s` the URL comes last. No shell is involved. */
function commandWords(command: string, url: string): string[] {
  const words = command.split(/\s+/).filter(word => word !== '')
  return words.some(word => word.includes('%s'))
    ? words.map(word => word.replaceAll('%s', () => url))
    : [...words, url]
}

/**
 * Decides how to open a URL. BROWSER comes first: a list separated by colons, except on Windows, where paths contain colons. Without BROWSER the
 * system's default browser opens, if the person could see its window.
 */
export function planBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): BrowserPlan {
  const wanted = env.BROWSER?.trim()
  if (wanted) {
    const list = platform === 'win32' ? [wanted] : wanted.split(':').filter(each => each.trim() !== '')
    // A command with spaces may be the path of one program, so the whole text is tried before its parts.
    const commands = list.flatMap(each => {
      const words = commandWords(each, url)
      return words.length > 2 && !each.includes('%s') ? [[each, url], words] : [words]
    })
    return { kind: 'commands', commands }
  }
  if (env.SSH_CONNECTION || env.SSH_TTY) return { kind: 'none', reason: 'this is a remote shell' }
  if (env.CI) return { kind: 'none', reason: 'this is a CI job' }
  if (platform === 'linux' && !env.WSL_DISTRO_NAME && !displays.some(name => env[name])) {
    return { kind: 'none', reason: 'there is no display' }
  }
  return { kind: 'system' }
}

/** Starts a program with arguments. Resolves once the program runs; rejects when it does not start. */
async function start([program = '', ...args]: readonly string[], onExit: (code: number | null) => void) {
  const child = spawn(program, args, { stdio: 'ignore', detached: true, windowsHide: true })
  child.once('exit', onExit)
  await once(child, 'spawn')
  child.unref()
}

/**
 * Opens a URL in the person's browser. Never fails: problems are reported through `onProblem`, also when the started program ends later with an
 * error.
 */
export async function openBrowser(
  url: string,
  options: {
    readonly env: Readonly<Record<string, string | undefined>>
    readonly platform: NodeJS.Platform
    readonly onProblem: (problem: string) => void
  },
): Promise<void> {
  const { env, platform, onProblem } = options
  const plan = planBrowser(url, env, platform)
  const onExit = (code: number | null) => {
    if (code !== 0 && code !== null) onProblem(`the browser ended with exit code ${code}`)
  }
  if (plan.kind === 'none') return onProblem(plan.reason)
  try {
    if (plan.kind === 'system') {
      const { default: open } = await import('open')
      const child = await open(url)
      child.once('error', error => onProblem(error.message))
      child.once('exit', onExit)
      return
    }
    await startFirst(plan.commands, onExit)
  } catch (error) {
    onProblem(error instanceof Error ? error.message : String(error))
  }
}

async function startFirst(
  commands: readonly (readonly string[])[],
  onExit: (code: number | null) => void,
): Promise<void> {
  let failure: unknown = new Error('BROWSER names no program')
  for (const command of commands) {
    try {
      return await start(command, onExit)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** Opens a URL in the person's browser. The text names the URL when no browser starts. */
export async function browse(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Promise<{ readonly text: string; readonly good: boolean }> {
  let problem: string | undefined
  const onProblem = (reported: string): void => {
    problem = reported
  }
  await openBrowser(url, { env, platform, onProblem })
  const text = problem === undefined ? `opened ${url}` : `${problem}; open it yourself: ${url}`
  return { text, good: problem === undefined }
}
