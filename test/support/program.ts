import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { root } from './source-files.js'

/** The launcher, as users start it. */
export const launcher = join(root, 'bin/oauth-lab.js')

/** A new empty folder and the function that removes it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'oauth-lab-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * An environment with nothing of the outer one but PATH: no CI, NO_COLOR, NODE_EXTRA_CA_CERTS, proxies or npm
 * settings that would change results.
 * @param home HOME and, below it, the state folder
 */
export function cleanEnv(home: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    OAUTH_LAB_HOME: join(home, 'lab'),
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    ...more,
  }
}

/** Makes a folder below `home` that gives a shell the command `oauth-lab`; to be put in front of PATH. */
export function commandFolder(home: string): string {
  const folder = join(home, 'bin')
  mkdirSync(folder, { recursive: true })
  const script = `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`
  writeFileSync(join(folder, 'oauth-lab'), script, { mode: 0o755 })
  return folder
}

/** How a program ended and what it said. */
export interface Ended {
  /** The exit code; null when a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A program under way. */
export interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** What it has said so far. */
  stdout(): string
  stderr(): string
  readonly ended: Promise<Ended>
}

/** How to start a program. */
export interface StartOptions {
  readonly env: Readonly<Record<string, string>>
  /** Default: HOME of the environment. */
  readonly cwd?: string
  /** What to write to stdin before closing it; default nothing; null: stdin stays open. */
  readonly input?: string | null
  /** Milliseconds after which it is killed, default 100 s: a test must not hang. */
  readonly limit?: number
}

/** Starts a program with pipes for its three streams. */
export function start(file: string, args: readonly string[], options: StartOptions): Running {
  const child = spawn(file, args, {
    env: { ...options.env },
    cwd: options.cwd ?? options.env.HOME,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  child.stdin.on('error', () => {
    // It may end before it has read everything.
  })
  if (options.input !== null) child.stdin.end(options.input ?? '')
  const ended = new Promise<Ended>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), options.limit ?? 100_000)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      resolve({ code, signal, stdout, stderr })
    })
  })
  return { child, stdout: () => stdout, stderr: () => stderr, ended }
}

/** Runs a program to its end. */
export function run(file: string, args: readonly string[], options: StartOptions): Promise<Ended> {
  return start(file, args, options).ended
}

/** Starts `oauth-lab`. */
export function startProgram(args: readonly string[], options: StartOptions): Running {
  return start(process.execPath, [launcher, ...args], options)
}

/** Runs `oauth-lab` to its end. */
export function runProgram(args: readonly string[], options: StartOptions): Promise<Ended> {
  return startProgram(args, options).ended
}

/** The objects of JSON lines. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Record<string, unknown>)
}

/**
 * Asks every 50 ms until there is an answer.
 * @throws Error with what `describe` says, after `limit` milliseconds
 */
export async function until<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  describe: () => string,
  limit = 20_000,
): Promise<T> {
  const end = Date.now() + limit
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > end) throw new Error(describe())
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
