/** Of each rule that looks for phrases: a sentence that it means, and one that is nearly so. */
export const PHRASES: readonly (readonly [rule: string, meant: string, near: string])[] = [
  [
    'terms-fees-change',
    'We may from time to time increase the fees.',
    'We may not increase the fees during a term.',
  ],
  ['terms-payment', 'You agree to pay all invoices.', 'You do not have to pay for the sandbox.'],
  ['terms-free-plan', 'There is a free plan for tests.', 'There is no free plan any more.'],
  [
    'terms-change-without-notice',
    'This API can be changed without prior notice.',
    'We will not change this API without prior notice.',
  ],
  [
    'terms-change-any-time',
    'We may modify these Terms at any time.',
    'You may ask for a copy of these terms at any time.',
  ],
  [
    'terms-change-notice',
    "We give thirty (30) days' notice before changes of the terms.",
    'Invoices are due within 30 days; notice is sent by mail.',
  ],
  [
    'terms-non-commercial',
    'The data is for non-commercial use only.',
    'The data is for commercial and non-commercial use only within the EU.',
  ],
  [
    'terms-attribution',
    'It can be used by anybody, provided you give credit to the station.',
    'You need not attribute us, though credit is welcome.',
  ],
  [
    'terms-no-competing',
    'You may not use the API to build a competing product.',
    'You may not send data of minors to a competent authority.',
  ],
  [
    'terms-no-benchmarks',
    'You must not publish benchmarks of the service.',
    'Our benchmarks show how fast the service is.',
  ],
  [
    'terms-no-caching',
    'You may not cache any results for more than a day.',
    'You may not store malicious content.',
  ],
  [
    'terms-no-reverse-engineering',
    'You shall not reverse engineer the service.',
    'Amounts are shown in reverse order by the service.',
  ],
  [
    'terms-termination-any-time',
    'We may suspend your account at any time.',
    'You may terminate this agreement at any time.',
  ],
  [
    'terms-sells-data',
    'We may sell your personal information to partners.',
    'We never sell your personal information.',
  ],
  [
    'terms-sells-no-data',
    'We do not sell your personal data.',
    'We do not sell your personal data except to partners.',
  ],
  [
    'terms-shares-data',
    'We may share your personal data with third parties.',
    'We may not share your personal data with third parties.',
  ],
  [
    'terms-data-processing',
    'The Data Processing Addendum is part of these terms.',
    'Data processing takes place in Frankfurt.',
  ],
  [
    'terms-keep-ownership',
    'You retain all rights in your content.',
    'You do not own your content once it is published, and you own your data not.',
  ],
  [
    'terms-broad-licence',
    'You hereby grant us a perpetual, worldwide licence.',
    'You grant us a licence for the time of the contract.',
  ],
  [
    'terms-trains-models',
    'We may use your content to train our models.',
    'We may use your content to train our staff.',
  ],
  [
    'terms-no-training',
    'We do not use customer data for training of models.',
    'We do not use your data for advertising.',
  ],
  [
    'terms-export',
    'You can export all of your data as CSV.',
    'You can download our brochure from the site.',
  ],
  [
    'terms-deletion-at-end',
    'We will delete your data 30 days after termination.',
    'We will delete spam after a review of it.',
  ],
  [
    'terms-governing-law',
    'These terms are governed by the laws of Estonia.',
    'The limits are governed by your plan.',
  ],
  [
    'terms-arbitration',
    'Disputes are resolved by binding arbitration.',
    'Disputes are not subject to binding arbitration.',
  ],
  [
    'terms-class-waiver',
    'You waive the right to take part in a class action.',
    'A class action is a way to go to court.',
  ],
  [
    'deprecated-by-words',
    'This API has been deprecated in favour of v3.',
    'Endpoints of this API that are deprecated are marked.',
  ],
]

/** Sentences as terms are written, each with all the rules that it means. */
export const SENTENCES: readonly (readonly [text: string, rules: readonly string[]])[] = [
  // Prices.
  ['We reserve the right to change our prices at any time without notice.', ['terms-fees-change']],
  ['You can change your plan and its pricing options in the dashboard.', []],
  ['We will not increase the fees for the first two years of the term.', []],
  ['You will be charged for each request over the quota of your plan.', ['terms-payment']],
  ['You shall pay the fees set out in the order form.', ['terms-payment']],
  ['Nobody has to pay for the sandbox, which is there for tests.', []],
  ['The free tier includes 1,000 requests per day.', ['terms-free-plan']],
  ['We ended our free tier in 2023.', []],
  ['There is no longer a free plan.', []],
  ['Free for commercial use up to ten users.', ['terms-free-plan']],
  ['Customer shall help us with reports of faults free of charge.', []],
  ['The API is available free of charge.', ['terms-free-plan']],
  ['It was the fastest, best and easiest weather API, and it still is free!', []],
  // Changes.
  ['The API may change without prior notice.', ['terms-change-without-notice']],
  [
    'We may modify or discontinue the Service at any time, with or without notice.',
    ['terms-change-without-notice'],
  ],
  [
    'We may change, suspend or withdraw any feature without notice.',
    ['terms-change-without-notice'],
  ],
  ['We will never change the API without notice.', []],
  ['You may change your password without notice to us at this address.', []],
  ['Timetables are published as they are and may change without notice.', []],
  [
    'We may revise these Terms from time to time at any time in our discretion.',
    ['terms-change-any-time'],
  ],
  ['We may amend this Agreement at any time without limitation.', ['terms-change-any-time']],
  ['You may update your privacy policy settings at any time.', []],
  [
    'We will give you at least 30 days notice of any changes to these Terms.',
    ['terms-change-notice'],
  ],
  [
    'We will give no less than 60 days notice before we discontinue an endpoint.',
    ['terms-change-notice'],
  ],
  ['You must give us 30 days notice of changes of your billing address.', []],
  ['We will notify you 14 days before the new terms apply.', ['terms-change-notice']],
  // Restrictions.
  ['The free plan is for non-commercial use only.', ['terms-free-plan']],
  [
    'The data is provided solely for personal and non-commercial purposes.',
    ['terms-non-commercial'],
  ],
  ['You may not use our logos for commercial purposes.', []],
  ['The API may be used for commercial and non-commercial purposes.', []],
  [
    'Customer agrees not to access the Service to build a competitive product.',
    ['terms-no-competing'],
  ],
  ['We will not use your data to build competing products.', []],
  ['Our prices are competitive and may not be matched.', []],
  ['The Service may not be used to develop a competing service.', ['terms-no-competing']],
  ['You may not disclose results of any benchmark tests.', ['terms-no-benchmarks']],
  ['We do not publish benchmarks that you send us.', []],
  ['You must not cache or store any content for more than 30 days.', ['terms-no-caching']],
  ['Responses may not be cached.', ['terms-no-caching']],
  ['We do not store your data on our servers.', []],
  ['You may cache responses for up to 24 hours.', []],
  ["Don't reverse engineer the API.", ['terms-no-reverse-engineering']],
  ['We will not attempt to reverse engineer your apps.', []],
  [
    'We may terminate your access at any time for any reason or no reason.',
    ['terms-termination-any-time'],
  ],
  ['Users may revoke the access of an app at any time.', []],
  ['You may terminate your account at any time.', []],
  ['You must display attribution to us on every page that shows data.', ['terms-attribution']],
  ['Attribution is not required.', []],
  // Privacy and data.
  ['We do not sell your personal information to third parties.', ['terms-sells-no-data']],
  ['We will not sell your personal data without your consent.', []],
  ['You agree that you will not sell user data obtained through the API.', []],
  ['We may sell or share your personal information.', ['terms-sells-data']],
  ['We sell hardware that protects your personal data.', []],
  [
    'We may share your personal data with third parties such as payment processors.',
    ['terms-shares-data'],
  ],
  ['We never share your personal data with third parties.', []],
  ['Our Data Processing Addendum applies to personal data.', ['terms-data-processing']],
  ['You must conclude a data processing agreement with your users.', []],
  [
    'As between the parties, you retain all ownership rights in your content.',
    ['terms-keep-ownership'],
  ],
  ['You retain sole responsibility for your content.', []],
  ['You own your data.', ['terms-keep-ownership']],
  [
    'You hereby grant us an irrevocable, royalty-free licence to your submissions.',
    ['terms-broad-licence'],
  ],
  ['We grant you a perpetual licence to the samples.', []],
  [
    'We may use your content to improve and train our machine learning models.',
    ['terms-trains-models'],
  ],
  ['You may not use output data to train competing models.', ['terms-no-competing']],
  ['We do not use customer data to train our models unless you opt in.', []],
  ['By default, we do not use your inputs for training.', ['terms-no-training']],
  ['You can export your data at any time.', ['terms-export']],
  ['You cannot export your data from the free plan.', []],
  ['We will delete your data within 30 days after termination.', ['terms-deletion-at-end']],
  // Law.
  ['This Agreement is governed by the laws of the State of New York.', ['terms-governing-law']],
  ['Your use of personal data is governed by applicable privacy laws.', []],
  ['Any dispute shall be settled by binding arbitration.', ['terms-arbitration']],
  ['We do not require binding arbitration.', []],
  ['You waive any right to take part in a class action.', ['terms-class-waiver']],
  // Ends.
  ['This version will be deprecated in autumn.', ['deprecated-by-words']],
  ['If this API is deprecated, we will tell you a year before.', []],
  ['This API is not deprecated.', []],
]
