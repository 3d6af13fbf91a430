// How far the strongest ink in each box stands out from its ground, as it was drawn.
async ([picture, scale, boxes]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.drawImage(image, 0, 0);
  const linear = (part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  const light = (rgb) => 0.2126 * linear(rgb >> 16) + 0.7152 * linear((rgb >> 8) & 255) + 0.0722 * linear(rgb & 255);
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const seen = boxes.map(({ box: [left, top, right, bottom], name, of }) => {
    const size = [(right - left) * scale, (bottom - top) * scale];
    const { data } = pen.getImageData(left * scale, top * scale, ...size);
    const count = new Map();
    for (let at = 0; at < data.length; at += 4) {
      const rgb = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
      count.set(rgb, (count.get(rgb) ?? 0) + 1);
    }
    const ground = light([...count].reduce((most, one) => (one[1] > most[1] ? one : most))[0]);
    return { name, of, contrast: Math.max(...[...count.keys()].map((rgb) => ratio(light(rgb), ground))) };
  });
  // A box may hold nothing but the blank between two words: each text counts once.
  const best = new Map();
  for (const one of seen) if (one.contrast >= (best.get(one.of)?.contrast ?? 0)) best.set(one.of, one);
  return [...best.values()];
}
