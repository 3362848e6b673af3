import { expect, it } from 'vitest'
import { examineClient } from '../../../src/learn/capstones/client/examine.js'
import { describeWith, rigs } from '../../support/requires.js'

describeWith([rigs], 'the examination of the capstone', () => {
  it('finds no fault in a client that is built on openid-client', { timeout: 120_000 }, async () => {
    const program = { command: [process.execPath, 'openid-notes.js'], folder: import.meta.dirname }
    expect(await examineClient(program, new AbortController().signal)).toEqual({ faults: [] })
  })
})
