import type { CancelReason, VitestRunnerImportSource } from '@vitest/runner'
import { TestRunner } from 'vitest'

/** The names in a pattern that Stryker joined from them: `escaped name|escaped name`. */
function namesOf(pattern: RegExp): ReadonlySet<string> {
  const escaped = pattern.source.match(/(?:\\.|[^\\|])+/gs) ?? []
  const plain = (_: string, character: string) => (character === 'n' ? '\n' : character)
  return new Set(escaped.map(name => name.replace(/\\(.)/gs, plain)))
}

/** A pattern for `String.match` that matches exactly these names. */
const exactly = (names: ReadonlySet<string>) => ({
  [Symbol.match]: (name: string) => (names.has(name.trim()) ? [name] : null),
})

/**
 * Runs the tests that reach a mutant, up to the first failure.
 *
 * Stryker names these tests in one regular expression. V8 refuses it from about 700 names on ("Regular expression too
 * large"), so a set takes its place. After a failure Vitest skips the remaining tests, but imports their files; this
 * runner does not.
 */
export default class MutantRunner extends TestRunner {
  #failed = false

  constructor(config: TestRunner['config']) {
    const { testNamePattern: pattern } = config
    super(
      pattern === undefined
        ? config
        : { ...config, testNamePattern: exactly(namesOf(pattern)) as unknown as RegExp },
    )
  }

  override cancel(reason: CancelReason) {
    this.#failed = true
    super.cancel(reason)
  }

  override importFile(path: string, source: VitestRunnerImportSource) {
    return this.#failed ? undefined : super.importFile(path, source)
  }
}
