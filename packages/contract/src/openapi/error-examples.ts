import { tooLargeText } from '../limits.ts';

/** Bodies of error responses by status, as a real server sends them. */
export const ERROR_EXAMPLES: Readonly<Record<number, object>> = {
  '400': {
    detailCode: '400.1.3',
    trackingId: '415347e3e237195a6cc3f56c93b5ca02',
    messages: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'A value is illegal.',
      },
    ],
    causes: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'accessRefs[0].type: must be ("ENTITLEMENT" | "ACCESS_PROFILE" | "ROLE")',
        detailCode: '400.1.3',
      },
    ],
  },
  '401': {
    detailCode: '401',
    trackingId: '9b8d16910ab584861b7a15c92603ebfe',
    messages: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'The request has no valid access token.',
      },
    ],
    causes: [],
  },
  '403': {
    detailCode: '403',
    trackingId: 'b3f636f5c1e4c526635f2f3289adaf90',
    messages: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'The caller may not do this.',
      },
    ],
    causes: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'needs the scope sod-policies:read or sod-policies:manage',
        detailCode: '403',
      },
    ],
  },
  '404': {
    detailCode: '404',
    trackingId: '746c084b3bb7bbd3a10dec7dcea9bee1',
    messages: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'There is no such resource.',
      },
    ],
    causes: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'There is no such SOD policy.',
        detailCode: '404',
      },
    ],
  },
  '409': {
    detailCode: '409.1',
    trackingId: '8c364e822e4251ba2e1f62aef9d7270d',
    messages: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'The state of the resource does not allow this.',
      },
    ],
    causes: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: '[0]: the test failed',
        detailCode: '409.1',
      },
    ],
  },
  '410': {
    detailCode: '410',
    trackingId: '6b1f0c3de7a94f2f9d2a4f6f6f0f1c52',
    messages: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'What is asked for is no longer kept.',
      },
    ],
    causes: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'after: must be at most 00000000000000000042, the last event: the events beyond it are gone, for example with a database that was put back',
        detailCode: '410',
      },
    ],
  },
  '412': {
    detailCode: '412',
    trackingId: '4865b3bcdcbcb2154c347448ed39955f',
    messages: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'The resource has changed: If-Match does not match.',
      },
    ],
    causes: [],
  },
  '415': {
    detailCode: '415',
    trackingId: '9d6b8ca25981bc455dce057991fa07fc',
    messages: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'The Content-Type or Content-Encoding is not supported.',
      },
    ],
    causes: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'The Content-Type must be application/json.',
        detailCode: '415',
      },
    ],
  },
  '428': {
    detailCode: '428',
    trackingId: '0d3e6f1b7a5c4928b6f0a1c2d3e4f506',
    messages: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'The request must name in If-Match the state that the caller has seen.',
      },
    ],
    causes: [
      {
        locale: 'en-US',
        localeOrigin: 'DEFAULT',
        text: 'If-Match: the terms of the exception have changed since it was requested: read it again, and send its ETag',
        detailCode: '428',
      },
    ],
  },
};

/** The body of a 413 where a body can have at most `bytesMax` bytes. */
export const bodyTooLarge = (bytesMax: number): object => ({
  detailCode: '413',
  trackingId: '2d53932fc917f1af5d8f56af0020a707',
  messages: [
    {
      locale: 'en-US',
      localeOrigin: 'DEFAULT',
      text: 'The body is too large.',
    },
  ],
  causes: [
    {
      locale: 'en-US',
      localeOrigin: 'DEFAULT',
      text: tooLargeText(bytesMax),
      detailCode: '413',
    },
  ],
});
