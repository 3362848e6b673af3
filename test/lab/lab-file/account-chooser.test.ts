import { describe, expect, it } from 'vitest'
import { startLab } from '../../../src/lab/lab.js'
import { labConfigFrom, loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { withOverrides } from '../../../src/lab/lab-file/overrides.js'
import { accountChooser } from '../../../src/lab/sites/sites.js'
import { memoryState } from '../../../src/lab/state/memory-state.js'

const users = [{ username: 'dora', password: 'explorer' }]
const built = ['alice', 'bob', 'carol']

const configOf = async (file: object | null, pick?: true) =>
  withOverrides(
    file === null ? await loadLabConfig(null) : await labConfigFrom(file, 'the test'),
    { publicDiscovery: true, anonymous: true, ...(pick && { pick }) },
    {},
  )

describe('account_chooser', () => {
  it.each<[object | null, true | undefined, string | undefined, readonly string[] | undefined, boolean?]>([
    [null, undefined, undefined, built, false],
    [null, undefined, '127.0.0.1', built, false],
    [null, undefined, '0.0.0.0', undefined],
    [null, true, undefined, built, true],
    [{ default_scope: 'openid' }, undefined, undefined, built, false],
    [{ users }, undefined, undefined, [], false],
    [{ users, account_chooser: 'unhinted' }, undefined, undefined, ['dora'], false],
    [{ users, account_chooser: 'always' }, undefined, undefined, ['dora'], true],
    [{ users }, true, undefined, ['dora'], true],
    [{ account_chooser: 'off' }, undefined, undefined, undefined],
    [{ account_chooser: 'off' }, true, undefined, built, true],
  ])('of %j with --pick %s on %s offers %j', async (file, pick, host, names, hinted) => {
    const chooser = accountChooser(await configOf(file, pick), host)
    expect(chooser?.users.map(each => each.username)).toEqual(names)
    expect(chooser?.hinted).toBe(hinted)
  })

  it.each([
    [{ account_chooser: 'always' }, undefined],
    [null, true],
  ] as const)('is refused to a lab that other machines reach: %j with --pick %s', async (file, pick) => {
    const config = await configOf(file, pick)
    const options = { config, home: memoryState(), host: '0.0.0.0', ports: { authorization: 0 } }
    await expect(startLab(options)).rejects.toThrow('the login page offers users on this machine only')
  })
})
