import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { TrustWorld } from './change.js'

/** Not in everybody's PATH. */
const systemFolders = ['/usr/sbin', '/sbin', '/usr/local/sbin']

/** Milliseconds. */
const TIME_LIMIT = 120_000

function orElse<T>(read: () => T, instead: T): T {
  try {
    return read()
  } catch {
    return instead
  }
}

/** @throws Error for a file that is not executable */
function isExecutable(path: string): true {
  accessSync(path, constants.X_OK)
  return true
}

function find(program: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = [...(env.PATH ?? '').split(delimiter), ...systemFolders]
  return folders
    .filter(folder => folder !== '')
    .map(folder => join(folder, program))
    .find(path => orElse(() => isExecutable(path), false))
}

export function thisComputer(env: NodeJS.ProcessEnv = process.env): TrustWorld {
  const { platform } = process
  return {
    platform,
    home: env.HOME || homedir(),
    systemRoot: platform === 'win32' ? env.SystemRoot || 'C:\\Windows' : '/',
    isRoot: process.getuid?.() === 0,
    find: program => find(program, env),
    exists: existsSync,
    list: path => orElse(() => readdirSync(path), []),
    read: path => orElse<string | undefined>(() => readFileSync(path, 'utf8'), undefined),
    run: (program, args) =>
      new Promise(resolve => {
        const options = { timeout: TIME_LIMIT, windowsHide: true, maxBuffer: 4 * 1024 * 1024 }
        const child = execFile(program, [...args], options, (error, stdout, stderr) => {
          const { code } = (error ?? { code: 0 }) as { code?: unknown }
          const failed = typeof code === 'string' ? `${program}: ${code}\n` : ''
          resolve({ code: typeof code === 'number' ? code : 1, output: failed + stdout + stderr })
        })
        child.stdin?.end()
      }),
  }
}
