import { UsageError } from '../../protocol/errors.js'
import { nearestHint } from '../../protocol/nearest.js'
import { WEAK_NAMES, type WeakName, weakModes } from '../../protocol/rules/weak-modes.js'
import type { LabConfig } from '../lab-file/config.js'
import { isLocal } from '../lab-file/names.js'
import type { LabOptions } from '../model.js'

const isWeakName = (name: string): name is WeakName => WEAK_NAMES.some(each => each === name)

/** Each name once, in the order of the table. @param by the typed option @throws UsageError with the nearest name */
export function parseWeakNames(names: readonly string[], by: string): readonly WeakName[] {
  if (names.length === 0)
    throw new UsageError(`${by} names no weak mode`, ['All of them:   oauth-lab weak list'])
  const unknown = names.find(name => !isWeakName(name))
  if (unknown !== undefined) {
    throw new UsageError(`${by}: there is no weak mode ${JSON.stringify(unknown)}`, [
      ...nearestHint(unknown, WEAK_NAMES),
      'All of them:   oauth-lab weak list',
    ])
  }
  return weakModes(names.filter(isWeakName)).map(({ name }) => name)
}

/** `no-mask` shows nothing without compression. */
export function withWeakNeeds(config: LabConfig): LabConfig {
  return config.weak.includes('no-mask') ? { ...config, compression: true } : config
}

/** @throws UsageError for weak modes on a public address, or with the reference profile */
export function refuseWeak({ config, host, weakAnywhere }: LabOptions): void {
  const { weak, profile } = config
  if (weak.length === 0) return
  const names = weak.join(', ')
  if (profile === 'reference') {
    throw new UsageError(`the profile reference has no weak modes (${names})`, [
      'Use weak modes with --profile standard',
    ])
  }
  if (isLocal(host) || weakAnywhere) return
  throw new UsageError(`weak modes (${names}) are for this machine only, not for --host ${host}`, [
    'Anyone who reaches this machine could attack the people who log in here; leave --host out',
    'In a closed network of a workshop:   --weak-anywhere',
  ])
}
