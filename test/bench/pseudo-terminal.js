// A program in a terminal of 100x30, by `script` of util-linux: what it writes, and what is typed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

const quote = word => `'${word.replaceAll("'", "'\\''")}'`

/** A running program and its terminal. */
export class PseudoTerminal {
  #child
  #started = performance.now()
  #seen = ''
  #waiting = new Set()

  /**
   * @param {string[]} words the program and its arguments
   * @param {{ env: NodeJS.ProcessEnv, cwd: string, from?: string }} options `from`: a file that is its stdin in place of the terminal
   */
  constructor(words, { env, cwd, from }) {
    const line = `stty cols 100 rows 30; exec ${words.map(quote).join(' ')}${from ? ` < ${quote(from)}` : ''}`
    this.#child = spawn('script', ['-qfec', line, '/dev/null'], { env, cwd, stdio: 'pipe' })
    this.ended = once(this.#child, 'close')
    this.#child.on('error', () => {})
    this.#child.stdin.on('error', () => {})
    this.#child.stdout.setEncoding('utf8').on('data', text => {
      this.#seen = (this.#seen + text).slice(-200_000)
      for (const check of this.#waiting) check()
    })
  }

  /** What was written since `forget` was called last. */
  get seen() {
    return this.#seen
  }

  forget() {
    this.#seen = ''
  }

  type(text) {
    this.#child.stdin.write(text)
  }

  /** Milliseconds from the start until it has written this. */
  async wrote(what, limit = 60_000) {
    await this.#until(() => this.#seen.includes(what), limit, what)
    return performance.now() - this.#started
  }

  /** Types and waits until what is drawn comes: milliseconds until then. */
  async answersTo(text, limit = 10_000) {
    this.forget()
    const start = performance.now()
    this.type(text)
    // A frame is written at once, with everything in it.
    await this.#until(() => this.#seen.includes('? help'), limit, `a frame after ${JSON.stringify(text)}`)
    return performance.now() - start
  }

  /** The process of the program, a child of `script`. */
  async pid() {
    const list = spawn('ps', ['--ppid', String(this.#child.pid), '-o', 'pid='], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let text = ''
    for await (const part of list.stdout) text += part
    return Number(text.trim().split(/\s+/)[0])
  }

  /** Milliseconds of processor time that the program has had in all of its threads. */
  async processorTime() {
    const tasks = `/proc/${await this.pid()}/task`
    const nanoseconds = readdirSync(tasks).map(each =>
      Number(readFileSync(`${tasks}/${each}/schedstat`, 'utf8').split(' ')[0]),
    )
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
  }

  /** Leaves it by Q, and by force where that does not help. */
  async close() {
    this.type('Q')
    const left = await Promise.race([this.ended.then(() => true), pause(3000, false, { ref: false })])
    if (!left) this.#child.kill('SIGKILL')
    await this.ended
  }

  async #until(done, limit, what) {
    if (done()) return
    /** @type {Promise<void>} */
    const drawn = new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(check)
        reject(new Error(`${what} did not come:\n${this.#seen.slice(-3000)}`))
      }, limit)
      const check = () => {
        if (!done()) return
        clearTimeout(timer)
        this.#waiting.delete(check)
        resolve()
      }
      this.#waiting.add(check)
    })
    await drawn
  }
}
