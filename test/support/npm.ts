import { join } from 'node:path'

/** Where npm's settings of the user are. */
export const npmrc: Readonly<Record<string, string>> =
  process.env.HOME === undefined ? {} : { npm_config_userconfig: join(process.env.HOME, '.npmrc') }

/** npm's own settings for reaching the registry, and nothing else of the outer environment. */
export const registrySettings: Readonly<Record<string, string>> = {
  ...(Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(npm_config_(registry|cache|cafile)|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i.test(name),
    ),
  ) as Record<string, string>),
  ...npmrc,
}

/** Whether npm failed since there is no network. */
export const registryUnreachable = (stderr: string): boolean =>
  /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ENOTCACHED|ETIMEDOUT/.test(stderr)
