import { setFlagsFromString } from 'node:v8'

/**
 * From now on the young generation of the heap stays as large as it is: a few megabytes once a lab has started. Left to
 * itself V8 lets it grow to some thirty under load, and it stays so; requests are as fast without, since hardly
 * anything of them outlives them.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}
