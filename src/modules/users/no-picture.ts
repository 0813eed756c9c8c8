/** What is shown of somebody who has no picture: a head and shoulders, 128 by 128, as PNG. */
const encoded = [
  'iVBORw0KGgoAAAANSUhEUgAAAIAAAACAAQMAAAD58POIAAAABlBMVEX////DydEtx3UiAAAACXBIWXMAAAsTAAALEwEAmpwYAAAA80lEQVRIx+',
  '3TQQ6DIBAF0E9YuOQIHMWjlaNxFI7AkoWpDZ3AgEOsmqZxUTcmb+F8mC/WzYM/3AmC2QDQQwJsBxEwHXhAd+AA1QFQvkqvZ4ZHA0uGuYGUwTYQ',
  'M5g9CBmmBnwGfQpcBnUKgHq6e8GFswi4cIViDZ83J5Yt6iAKIyolSydqKYorqi3Kv8bppv+t0+I3Nbv3Ie5UrEGscluphWCukAhshUAwVfAEuo',
  'IjUBUAHoOy6rJu8FSaC55Kc1FOUk4DjkFBwDEoCDgGBRkC0CRDk+udbAQLwzyGxGDHEBnMGALDdBA8gz4IjkF9DYD2Un8DL0ntW2WcRcx0AAAA',
  'AElFTkSuQmCC',
];

export const noPicture = { type: 'image/png', etag: '"none"', bytes: Buffer.from(encoded.join(''), 'base64') };
