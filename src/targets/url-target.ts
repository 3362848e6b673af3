import { UsageError } from '../errors.js'
import { type LabOptions, type LabUse, labTarget } from './lab-target.js'
import { outside, type Target, targetFrom } from './target.js'
import { trustedPem } from './trust.js'

/**
 * Finds the page of a run: a whole address, or a path of the lab in use. An embedded lab compresses its answers.
 * @throws UsageError for a text that is neither
 */
export async function urlTarget(
  text: string,
  options: LabOptions,
  { narrate }: Pick<LabUse, 'narrate'>,
): Promise<Target> {
  if (/^https?:\/\//i.test(text)) {
    if (!URL.canParse(text)) {
      throw new UsageError(`${JSON.stringify(text)} is no address`, [
        'It looks like https://localhost:8443/kb/2',
      ])
    }
    return { ...outside, address: text, caPem: await trustedPem(options, new URL(text).origin) }
  }
  if (!text.startsWith('/')) {
    throw new UsageError(`${JSON.stringify(text)} is neither a path nor an address`, [
      'A path of the lab begins with /, as in /kb/200',
    ])
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new UsageError('the path holds characters that a request line cannot carry', [
      'Write them percent-encoded, a space as %20',
    ])
  }
  return targetFrom(labTarget(options, { narrate, compression: true }), lab => ({
    ...lab,
    address: lab.urls.authorization + text,
  }))
}
