import { createPage } from '../../http/page.js'

/** Makes a page of the authorization server. */
export const page = createPage('oauth-lab authorization server')
