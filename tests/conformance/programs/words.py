"""Count words, weigh them, and tell two kinds of text apart."""

import numpy as np
from sklearn.decomposition import NMF, TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.metrics import classification_report
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.naive_bayes import MultinomialNB

texts = [
    "the sun rose over the sea", "waves of the sea broke on the shore", "the shore lay in the sun",
    "the engine of the car is loud", "a car needs an engine and wheels", "the wheels of the car",
]  # fmt: skip
kinds = np.array([0, 0, 0, 1, 1, 1])
counter = CountVectorizer(stop_words="english")
counts = counter.fit_transform(texts)
names = counter.get_feature_names_out()
totals = np.asarray(counts.sum(axis=0)).ravel()
print(names[np.argsort(-totals, kind="stable")[:3]], totals.max(), counts.shape)
weights = TfidfVectorizer().fit_transform(texts)
print(cosine_similarity(weights)[0].round(3), weights.toarray()[0].max().round(4))
model = MultinomialNB().fit(counts, kinds)
print(model.predict(counter.transform(["a loud car", "sea and sun"])))
print(classification_report(kinds, model.predict(counts)))
topics = NMF(2, init="nndsvda", random_state=0, max_iter=400).fit(weights)
for row in topics.components_:
    print(np.argmax(row), np.round(np.linalg.norm(row), 3))
print(np.abs(TruncatedSVD(2, random_state=0).fit_transform(weights)).sum(axis=0).round(3))
