"""Tensors spread over several processes, for both packages.

``tensor`` has the class; ``layout`` and ``collectives`` say who holds what and move it. Every torch
operation on such a tensor comes to ``rules``, which has one rule for each kind of operation:
``elementwise``, ``views``, ``reductions``, ``lines`` (operations along some axes), ``products``,
``joining``, and ``whole``, which gathers and is right for everything else. ``interchange`` turns
DTensors into these tensors and back.

The modules are imported when the first distributed tensor is made.
"""
