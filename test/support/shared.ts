import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { temporaryFolder } from './program.js'
import { type Serving, serve } from './serve.js'

/** A folder for the tests of a file or a describe, removed after them. */
export function sharedFolder(): ReturnType<typeof temporaryFolder> {
  const folder = temporaryFolder()
  afterAll(folder.remove)
  return folder
}

/**
 * A lab for the tests of a file or a describe, by a `serve` that starts before them and ends after them.
 * @param args a function where they are known only when the tests begin
 */
export function sharedLab(args: readonly string[] | (() => readonly string[]) = []): Serving {
  let started: Serving | undefined
  beforeAll(async () => {
    started = await serve(typeof args === 'function' ? args() : args)
  })
  afterAll(() => started?.remove())
  const lab = (): Serving => {
    if (started === undefined) throw new Error('the lab starts before the first test, and not earlier')
    return started
  }
  return {
    get ready() {
      return lab().ready
    },
    get env() {
      return lab().env
    },
    events: () => lab().events(),
    stderr: () => lab().stderr(),
    stop: signal => lab().stop(signal),
    remove: () => lab().remove(),
  }
}

/** A lab for one test, by a `serve` that ends with it. */
export async function testLab(args: readonly string[] = []): Promise<Serving> {
  const lab = await serve(args)
  onTestFinished(lab.remove)
  return lab
}
