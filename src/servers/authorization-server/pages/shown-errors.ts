import type { HttpRequest, HttpResponse } from '../../../protocol/http/message.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Context, Publish } from '../events.js'
import { FormTooLarge } from '../parameters/form-body.js'
import { errorPage } from './error-page.js'

/** Makes a handler of a page that shows its OAuth errors to the person. */
export const shownErrors =
  (handler: (http: HttpRequest, publish: Publish) => HttpResponse | Promise<HttpResponse>) =>
  async (http: HttpRequest, { publish }: Context): Promise<HttpResponse> => {
    try {
      return await handler(http, publish)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      return errorPage(error, error instanceof FormTooLarge ? 413 : 400)
    }
  }
