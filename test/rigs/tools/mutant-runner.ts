import { type CancelReason, TestRunner } from 'vitest'
import { exactNames } from './test-names.js'

type Config = TestRunner['config']

/** Takes the names of the tests from the pattern that Stryker sets. */
function withNames(config: Config): Config {
  const { testNamePattern: pattern } = config
  return pattern === undefined ? config : { ...config, testNamePattern: exactNames(pattern) }
}

/**
 * Runs the tests that reach a mutant, up to the first failure. After a failure Vitest skips the remaining tests, but
 * imports their files; this runner does not.
 */
export default class MutantRunner extends TestRunner {
  #failed = false

  constructor(config: Config) {
    super(withNames(config))
  }

  override cancel(reason: CancelReason) {
    this.#failed = true
    super.cancel(reason)
  }

  override importFile(...file: Parameters<TestRunner['importFile']>) {
    return this.#failed ? undefined : super.importFile(...file)
  }
}
